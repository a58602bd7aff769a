import Catalogue
import CPlatform
import Glibc
import Model
import Records
import Synchronization
import System

/// Watches the music folders and reports when something in them changed. It waits on a thread of its own.
///
/// The kernel watches single folders (inotify(7)), so each scan gives the list of them. A change leads to a scan of the
/// folders in which something changed; of all folders where events were lost, or disks come or go. Folders on other
/// machines, and those that programs serve, are looked at again and again (`FolderLook`).
package final class FolderWatch: Sendable {
  private struct State {
    var folders = WatchedFolders()
    /// True while watches are being made.
    var isWatching = false
    /// The events since then of which the new watches say where they were, and whether they are about other files than
    /// links.
    var waiting: [(event: FolderEvent, isOther: Bool)] = []
    /// True if more of them came than are kept.
    var isWaitingLost = false
    /// True if a scan could not have its folders watched since then.
    var isRefused = false
    var presence = MusicFolderPresence()
    var refreshTime = Duration.zero
    var isStopped = false
    var isNew = false
    /// The changes since a scan began.
    var changes = ChangedFolders.unknown
    /// The problems that the last scan of all folders found, and that of their watches.
    var problems: [LunaraError] = []
    /// The problems of deletions that its end wrote.
    var deletionProblems: [LunaraError] = []
    /// True if only a scan of all folders can tell whether these problems are over.
    var isQuestionOpen = false
    /// The devices of folders on other machines.
    var remote: Set<Int64> = []

    mutating func loseChanges() { changes = .unknown }

    /// True if changes wait to be noted.
    var areChangesWaiting: Bool { isWaitingLost || waiting.contains { $0.event.meaning != .end } }
  }

  private let descriptor: Int32
  private let wakeup: Int32
  /// The table of mounts, which poll(2) reports when it changes; nil if the system has none.
  private let mounts: Descriptor?
  private let failure: String?
  private let readTable: @Sendable () -> MountTable?
  private let gathering: ChangeDebouncer
  private let look: FolderLook
  /// Knows which folders do not answer.
  package let silent: SilentFolders
  private let state = Mutex(State())
  /// Held while watches are made, which a disk that does not answer holds up.
  private let watching = Mutex<Void>(())

  /// - Parameter every: the pause between two looks for changes that the kernel does not report.
  package convenience init(lookingEvery every: Duration = .seconds(300)) {
    self.init(lookingEvery: every, gathering: ChangeDebouncer())
  }

  /// - Parameter readTable: returns the table of mounts; nil if the system has none.
  init(
    lookingEvery every: Duration = .seconds(300), gathering: ChangeDebouncer,
    silent: SilentFolders = SilentFolders(),
    readTable: @escaping @Sendable () -> MountTable? = MountTable.ofSystem
  ) {
    self.gathering = gathering
    self.readTable = readTable
    self.silent = silent
    look = FolderLook(every: every, silent)
    descriptor = inotify_init1(Int32(truncatingIfNeeded: IN_CLOEXEC) | Int32(truncatingIfNeeded: IN_NONBLOCK))
    failure = descriptor < 0 ? Errno.current.text : nil
    wakeup = lunara_wakeup()
    mounts = Self.openMounts()
  }

  private static func openMounts() -> Descriptor? {
    do { return try Descriptor(opening: "/proc/self/mountinfo", O_RDONLY) } catch { return nil }
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
    if wakeup >= 0 { close(wakeup) }
  }

  /// Returns the folders that changed since the last call; all while a question about deletions is open. A scan that
  /// begins now sees the changes.
  func takeChanges() -> ChangedFolders {
    state.withLock { state in
      defer { state.changes = ChangedFolders() }
      return state.isQuestionOpen || state.areChangesWaiting ? .unknown : state.changes
    }
  }

  /// Notes that a scan did not see what changed before it, so that the next one visits all folders.
  func loseChanges() { state.withLock { $0.changes = .unknown } }

  /// The problems that the last scan of all folders found.
  var problems: [LunaraError] { state.withLock { $0.problems + $0.deletionProblems } }

  /// Notes what a scan of all folders has written.
  func update(_ outcome: RefreshOutcome) {
    state.withLock { state in
      state.deletionProblems = outcome.deletionProblems
      state.isQuestionOpen = outcome.isQuestionOpen
    }
  }

  /// The devices on which the kernel may not report changes.
  var unreportedDevices: Set<Int64> { Set((mountTable()?.kinds ?? [:]).filter { $0.value != .local }.keys) }

  /// Returns the folders that answer or do not as a whole: the music folders, and those at which something is mounted
  /// in them.
  func places(in roots: [[UInt8]]) -> [[UInt8]] {
    let mounts = mountTable()?.mounts.map(\.folder) ?? []
    return roots + mounts.filter { mount in roots.contains { mount != $0 && FilePath.isWithin(mount, $0) } }
  }

  /// Returns those of `places` that lie on other machines, or that programs serve.
  func distant(_ places: [[UInt8]]) -> Set<PathKey> {
    guard let table = mountTable() else { return [] }
    return Set(places.lazy.filter { table.kindFollowingLink(at: $0) != .local }.map(PathKey.init))
  }

  /// Returns those of `places` that lie on other machines.
  func remote(_ places: [[UInt8]]) -> Set<PathKey> {
    guard let table = mountTable() else { return [] }
    return Set(places.lazy.filter { table.kindFollowingLink(at: $0) == .remote }.map(PathKey.init))
  }

  /// The knowledge of one scan where inode numbers last.
  var numbers: InodeNumbers { InodeNumbers { [self] in mountTable() } }

  /// Watches the folders that a scan of changed folders found, instead of those that were in them before.
  func follow(_ scan: ScanResult, of changes: ChangedFolders, by requests: FolderRequests? = nil) {
    look.follow(scan, of: changes)
    let visited = changes.paths.filter(\.withSubfolders).map(\.path)
    let remote = state.withLock { $0.remote }
    let folders = scan.devices.filter { !remote.contains($0.value) }.keys.map(\.bytes)
      .filter { path in visited.contains { FilePath.isWithin(path, $0) } }
    let outcome = watch(folders, visited: visited, by: requests)
    let isNew = state.withLock { state in
      for folder in outcome?.new ?? [] { state.changes.insert(folder) }
      let isIncomplete = outcome.map { $0.left > 0 } ?? true
      if isIncomplete { state.loseChanges() }
      state.isNew = state.isNew || outcome.map { !$0.new.isEmpty || $0.left > 0 } ?? false
      return state.isNew
    }
    if isNew { wake() }
  }

  /// Watches folders as `WatchedFolders.watch` does. Returns nil, and watches nothing, where the watches for an
  /// abandoned scan are still being made: once the disk that holds these up has answered, all folders are scanned
  /// again.
  private func watch(
    _ folders: [[UInt8]], visited: [[UInt8]]? = nil, by requests: FolderRequests?
  ) -> WatchedFolders.Outcome? {
    let outcome = watching.withLockIfAvailable { _ in
      var watched = state.withLock { state in
        state.isWatching = true
        return state.folders
      }
      let outcome = watched.watch(folders, visited: visited, with: descriptor, by: requests)
      state.withLock { state in
        state.folders = watched
        state.isWatching = false
        for (event, isOther) in state.waiting { _ = Self.note(event, isOther: isOther, &state) }
        if state.isWaitingLost || state.isRefused { state.loseChanges() }
        state.isNew = state.isNew || state.isRefused
        state.waiting = []
        state.isWaitingLost = false
        state.isRefused = false
      }
      return outcome
    }
    if outcome == nil {
      let isHeld = state.withLock { state in
        state.isRefused = state.isWatching
        return state.isWatching
      }
      if !isHeld { note(.unknown) }
    } else {
      wake()
    }
    return outcome
  }

  /// Watches the folders that a scan of all folders found, and whether its music folders come or go. Returns the
  /// problems that a person should know, at most one of a kind. Blocks while the kernel looks up the folders.
  ///
  /// - Parameters:
  ///   - scan: what the scan found.
  ///   - roots: the music folders.
  ///   - requests: the way in which folders are asked. Those that do not answer are left alone.
  ///   - time: the time that the scan took.
  func follow(
    _ scan: ScanResult, of roots: [[UInt8]], by requests: FolderRequests? = nil, took time: Duration
  ) -> [LunaraError] {
    let table = mountTable()
    let silent = Set((requests?.silent ?? [:]).keys)
    let answering = roots.filter { !silent.contains(PathKey($0)) }
    let sights = answering.map { root in
      requests?.visit(root) { _ in MusicFolderPresence.Sight(of: root) } ?? MusicFolderPresence.Sight(of: root)
    }
    state.withLock { $0.presence.update(sights, silent: silent.map(\.bytes), scan, mounts: table) }
    let places = places(in: roots)
    look.follow(
      scan, in: roots, places: places, distant: distant(places),
      without: table?.devicesWithoutFolderTimes ?? [])
    wake()
    guard descriptor >= 0 else { return scan.devices.isEmpty ? [] : [ScanProblem.notWatched(nil, cause: failure)] }
    let kinds = table?.kinds ?? [:]
    var problems: [LunaraError] = []
    var folders: [[UInt8]] = []
    // Parents come before their subfolders: if there are too few watches, at least the top folders are watched. The
    // order is always the same, so that they stay the same folders.
    let sorted = scan.devices.sorted { left, right in
      let (left, right) = (left.key.bytes, right.key.bytes)
      return left.count == right.count ? left.lexicographicallyPrecedes(right) : left.count < right.count
    }
    for (path, device) in sorted {
      if kinds[device] != .remote {
        folders.append(path.bytes)
      } else if problems.isEmpty {
        problems.append(ScanProblem.notWatched(path.bytes, cause: nil))
      }
    }
    let outcome = watch(folders, by: requests)
    state.withLock { state in
      state.refreshTime = time
      state.remote = Set(kinds.filter { $0.value == .remote }.keys)
      guard let outcome else { return state.loseChanges() }
      for folder in outcome.new { state.changes.insert(folder) }
      state.isNew = state.isNew || !outcome.new.isEmpty
    }
    if let outcome, !outcome.new.isEmpty { wake() }
    if let outcome, outcome.left > 0 {
      let isOwn = folders.count - outcome.left >= WatchedFolders.largest
      problems.append(
        ScanProblem.watchLimit(
          folders: folders.count, left: outcome.left, most: isOwn ? WatchedFolders.largest : nil))
    }
    state.withLock { [problems] in $0.problems = scan.problems + problems }
    return problems
  }

  /// Waits for changes until it is stopped, and calls `changed` once for each group of them.
  package func run(_ changed: @escaping @Sendable () -> Void) async {
    guard descriptor >= 0, wakeup >= 0 else { return }
    await withTaskGroup(of: Void.self) { group in
      silent.onChange { [weak self] in self?.note(.unknown) }
      group.addTask { [self] in await look.run { [self] in note($0) } }
      await BlockingThreads.run(1) { [self] in wait(changed) }
    }
  }

  /// Notes the changes that a look found.
  private func note(_ changes: ChangedFolders) {
    state.withLock { state in
      for (path, withSubfolders) in changes.paths { state.changes.insert(path, withSubfolders: withSubfolders) }
      if changes.isUncertain { state.loseChanges() }
      state.isNew = true
    }
    wake()
  }

  package func stop() {
    state.withLock { $0.isStopped = true }
    look.stop()
    wake()
  }

  private func wake() {
    var one: UInt64 = 1
    // This fails only if a wake-up is pending already.
    _ = write(wakeup, &one, 8)
  }

  private func wait(_ changed: () -> Void) {
    let clock = ContinuousClock()
    let start = clock.now
    var gathering = gathering
    // A negative number is left out by poll(2).
    var polled = [descriptor, wakeup, mounts?.number ?? -1].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    polled[2].events = Int16(POLLPRI)
    var nextLook: Duration?
    while true {
      let until = [gathering.due, nextLook].compactMap { $0 }.min()
      let left = until.map { max(.zero, $0 - start.duration(to: clock.now)) }
      _ = lunara_poll(&polled, 3, left.map { Int64($0 / .nanoseconds(1)) } ?? -1)
      var count: UInt64 = 0
      _ = read(wakeup, &count, 8)
      let now = start.duration(to: clock.now)
      let (isStopped, isNew, isSearching) = state.withLock { state in
        defer { state.isNew = false }
        gathering.refreshTime = state.refreshTime
        return (state.isStopped, state.isNew, state.presence.isSearching)
      }
      if isStopped { return }
      // Changes between the scan of a folder and the start of its watch were not reported, so a new watch counts as
      // one.
      if hasChange() || isNew { gathering.changed(at: now) }
      if polled[2].revents != 0, let table = mountTable(), state.withLock({ $0.presence.hasOtherMounts(table) }) {
        silent.forget()
        loseChanges()
        gathering.changed(at: now)
      }
      if let look = nextLook, look <= now, hasFound() {
        loseChanges()
        gathering.changed(at: now)
      }
      let isPending = nextLook.map { $0 > now } ?? false
      if !isSearching { nextLook = nil } else if !isPending { nextLook = now + MusicFolderPresence.interval }
      if gathering.isDue(at: now) { changed() }
    }
  }

  /// Returns true if there is something else by now where a music folder could not be scanned. A disk that does not
  /// answer holds up this thread alone.
  private func hasFound() -> Bool {
    let missing = state.withLock { $0.presence.searched }
    let found = missing.map { ($0, MusicFolderPresence.place(of: $0.bytes)) }
    return state.withLock { $0.presence.hasFound(found) }
  }

  private func mountTable() -> MountTable? { mounts == nil ? nil : readTable() }

  /// Reads all pending events, and notes what they mean. Returns true if one of them means a change.
  private func hasChange() -> Bool {
    var isChanged = false
    var buffer = [UInt8](repeating: 0, count: 16384)
    while true {
      let count = read(descriptor, &buffer, buffer.count)
      guard count > 0 else { return isChanged }
      for event in buffer.withUnsafeBytes({ FolderEvent.events(UnsafeRawBufferPointer(rebasing: $0[..<count])) }) {
        isChanged = handle(event) || isChanged
      }
    }
  }

  /// Notes what an event means. Returns true for a change.
  private func handle(_ event: FolderEvent) -> Bool {
    let folder = state.withLock { $0.folders.path(event.watch) }
    // This asks the disk, which may not answer.
    let isOther = event.meaning == .creation && !Self.isLink(event, in: folder)
    return state.withLock { state in
      guard state.isWatching, folder == nil || event.meaning == .end else {
        return Self.note(event, isOther: isOther, &state)
      }
      if state.waiting.count < Self.mostWaiting {
        state.waiting.append((event, isOther))
      } else {
        state.isWaitingLost = true
      }
      return event.meaning != .nothing && event.meaning != .end && !isOther
    }
  }

  /// The most events that are kept while watches are being made.
  private static let mostWaiting = 10_000

  private static func note(_ event: FolderEvent, isOther: Bool, _ state: inout State) -> Bool {
    let folder = state.folders.path(event.watch)
    // The cover of the folder above may lie in a folder of pictures.
    if event.meaning != .nothing, let changed = folder.map(event.changedBelow),
      Cover.isPictureFolder(FilePath.name(changed)), let above = FilePath.parent(changed)
    {
      state.changes.insert(above)
    }
    switch event.meaning {
    case .nothing: return false
    case .end:
      state.folders.forget(event.watch)
      return false
    case .change: folder.map { state.changes.insert($0) } ?? state.loseChanges()
    case .changeBelow:
      folder.map { state.changes.insert(event.changedBelow($0), withSubfolders: true) } ?? state.loseChanges()
    case .creation:
      if isOther { return false }
      state.loseChanges()
    case .loss: state.loseChanges()
    }
    return true
  }

  private static func isLink(_ event: FolderEvent, in folder: [UInt8]?) -> Bool {
    guard let folder else { return true }
    var status = stat()
    guard lstat(FilePath.join(folder, event.name).cString, &status) == 0 else { return false }
    return status.st_mode & S_IFMT == S_IFLNK || status.st_nlink > 1
  }
}
