import Glibc
import Messages
import Model
import Storage
import System
import Testing

@testable import Catalogue
@testable import People
@testable import Records
@testable import Sources

/// Music folders change and fail: each request to the disk may be answered by an error. Nothing is deleted that is
/// there, nothing is listed twice, and notes stay with their tracks; once the disk answers again, the catalogue is what
/// is on the disk. Every second catalogue lies on a share that numbers its files anew before each scan, and whose files
/// were all written in the same second.
///
/// `LUNARA_SCAN_SEEDS` is the number of seeds, and `LUNARA_SCAN_SEED` the first of them, to see one again; each begins
/// with what the one before it left, from the last multiple of `seedsOfACatalogue` on.
@Suite(.serialized, .timeLimit(.minutes(240)))
struct ScanModelTests {
  private static let seedsOfACatalogue: UInt64 = 25
  private static let rounds = 3

  private static func number(_ name: String) -> UInt64? { getenv(name).flatMap { UInt64(String(cString: $0)) } }

  @Test func aDiskThatFailsLosesNothing() async throws {
    let first = Self.number("LUNARA_SCAN_SEED") ?? 1
    let count = Self.number("LUNARA_SCAN_SEEDS") ?? (first == 1 ? 100 : 1)
    let begin = first - (first - 1) % Self.seedsOfACatalogue
    var household: Household?
    var failed = 0
    for seed in begin..<(first + count) {
      if (seed - 1) % Self.seedsOfACatalogue == 0 {
        household = try await Household(isShare: (seed / Self.seedsOfACatalogue) % 2 == 1)
      }
      guard let current = household else { return }
      var random = SplitMix64(state: seed &* 0x9E37_79B9_7F4A_7C15)
      for round in 1...Self.rounds {
        try current.change(&random)
        let scan = DiskScan(&random)
        failed += try await current.refresh(scan)
        if let fault = try await current.fault(isHealed: false) {
          Issue.record("seed \(seed), round \(round), a scan with failures (\(scan)): \(fault)\n\(current.description)")
          return
        }
        try await current.heal()
        if let fault = try await current.fault(isHealed: true) {
          Issue.record("seed \(seed), round \(round), the scan after it (\(scan)): \(fault)\n\(current.description)")
          return
        }
        try await current.noteNewTracks()
      }
    }
    // The disk does fail.
    #expect(failed > 0)
  }
}

/// The ways in which one scan is made and fails.
private struct DiskScan: CustomStringConvertible {
  var faults: DiskFaults
  var accepting: AcceptedChanges
  /// True for a scan of the folders in which something changed.
  var isReported: Bool

  init(_ random: inout SplitMix64) {
    faults = DiskFaults(
      seed: random.next(), percent: [2, 10, 40].randomElement(using: &random) ?? 2,
      requests: [[.open], [.status], [.list], [.read], DiskFaults.Request.allCases].randomElement(using: &random) ?? [])
    accepting = [[], .wholeScan, .all].randomElement(using: &random) ?? []
    isReported = Int.random(in: 0..<3, using: &random) == 0
  }

  var description: String {
    "\(faults.percent) % of \(faults.requests), \(isReported ? "reported" : "accepting \(accepting.rawValue)")"
  }
}

/// A catalogue of two music folders, and what they hold.
private final class Household {
  private struct File {
    /// The titles of its tracks: several for one that a CUE sheet cuts.
    var titles: [String]
    var tags: [String]
    /// True for an image with a sheet of its own name beside it.
    var hasSheet = false
    /// Tells the sound of an image from that of others.
    var digest: UInt8 = 0
  }

  private let catalogue: TestCatalogue
  private let source: FilesSource
  /// The audio files by their paths below the tree.
  private var files: [String: File] = [:]
  /// The list files by their paths, with their titles.
  private var lists: [String: String] = [:]
  private var next = 0
  /// The titles of tracks and of lists when the catalogue was last whole.
  private var before: Set<String> = []
  private var noted: Set<String> = []
  /// The titles that are elsewhere since the last scan: where their new place cannot be read, they are not seen at all,
  /// and return with the next scan.
  private var moved: Set<String> = []
  /// The titles of files that were written anew since then. One that also moved is another file, until its old place
  /// can be read.
  private var tagged: Set<String> = []
  private var changed = ChangedFolders()
  private var log: [String] = []
  /// True for a share that numbers its files anew before each scan.
  private let isShare: Bool
  private var mounts: UInt64 = 0
  /// The files of a share that have the same time as all.
  private var stamped: Set<String> = []

  init(isShare: Bool) async throws {
    self.isShare = isShare
    catalogue = try TestCatalogue()
    let tree = catalogue.tree
    var source = catalogue.source([tree.path("one"), tree.path("two")])
    if isShare {
      let table = try MountTable(showing: tree.root, as: "fuse.sshfs")
      source.watch = FolderWatch(gathering: ChangeDebouncer()) { table }
    }
    self.source = source
    for folder in ["one", "two"] { try tree.make(folder: tree.path(folder)) }
    // Each music folder keeps some music: without any it counts as away.
    for folder in ["one", "two"] { try addFile(in: "\(folder)/anchor") }
    try await heal()
    try await noteNewTracks()
  }

  var description: String {
    "files: \(files.mapValues(\.titles)), lists: \(lists)\nchanges: \(log.joined(separator: "; "))"
  }

  // MARK: Changes

  private func number() -> Int {
    next += 1
    return next
  }

  /// Notes that something changed in the folder of a path, as the kernel reports it.
  private func touch(_ path: String) {
    guard let slash = path.lastIndex(of: "/") else { return }
    changed.insert(catalogue.tree.path(String(path[..<slash])), withSubfolders: true)
  }

  private func addFile(in folder: String) throws {
    let number = number()
    let tags = ["TITLE=t\(number)", "ARTIST=\(folder)", "ALBUM=\(folder)", "TRACKNUMBER=\(number % 50)"]
    let path = "\(folder)/\(number).flac"
    let file = File(titles: ["t\(number)"], tags: tags)
    files[path] = file
    try write(file, to: path)
    touch(path)
  }

  private func addImage(in folder: String) throws {
    let number = number()
    let titles = ["t\(number)a", "t\(number)b"]
    let path = "\(folder)/image\(number).flac"
    let image = File(titles: titles, tags: [], hasSheet: true, digest: UInt8(number % 250 + 1))
    files[path] = image
    try write(image, to: path)
    try writeSheet(of: path, titles)
    touch(path)
  }

  private func write(_ file: File, to path: String) throws {
    stamped.remove(path)
    if file.hasSheet {
      try catalogue.tree.flac(path, file.tags, seconds: 300, quality: .init(digest: file.digest))
    } else {
      try catalogue.tree.flac(path, file.tags)
    }
  }

  private func writeSheet(of path: String, _ titles: [String]) throws {
    let name = path.split(separator: "/").last ?? ""
    var sheet = "PERFORMER \"Image\"\nTITLE \"Image of \(titles[0])\"\nFILE \"\(name)\" WAVE\n"
    for (index, title) in titles.enumerated() {
      sheet += "TRACK 0\(index + 1) AUDIO\nTITLE \"\(title)\"\nINDEX 01 0\(index * 2):00:00\n"
    }
    try catalogue.tree.write(Array(sheet.utf8), to: Self.sheet(of: path))
  }

  private static func sheet(of path: String) -> String { "\(path.dropLast(5)).cue" }

  private func move(_ path: String, to other: String) throws {
    guard let file = files.removeValue(forKey: path) else { return }
    try catalogue.tree.move(path, to: other)
    files[other] = file
    moved.formUnion(file.titles)
    touch(path)
    touch(other)
  }

  private func remove(_ path: String) throws {
    try catalogue.tree.remove(path)
    if files.removeValue(forKey: path)?.hasSheet == true { try catalogue.tree.remove(Self.sheet(of: path)) }
    lists[path] = nil
    touch(path)
  }

  /// Makes up to four changes on the disk.
  func change(_ random: inout SplitMix64) throws {
    changed = ChangedFolders()
    log = []
    (moved, tagged) = ([], [])
    for _ in 0..<Int.random(in: 0...4, using: &random) { try changeOnce(&random) }
  }

  private func changeOnce(_ random: inout SplitMix64) throws {
    let folders = Set(files.keys.map { String($0[..<($0.lastIndex(of: "/") ?? $0.endIndex)]) })
      .filter { !$0.hasSuffix("anchor") }.sorted()
    let movable = files.filter { !$0.key.contains("anchor") }.keys.sorted()
    let plain = movable.filter { files[$0]?.hasSheet == false }
    let folder = folders.randomElement(using: &random)
    let root = ["one", "two"].randomElement(using: &random) ?? "one"
    let new = "\(root)/\(Bool.random(using: &random) ? "x/" : "")f\(number())"
    switch Int.random(in: 0..<11, using: &random) {
    case 0, 1:
      log.append("add folder \(new)")
      for _ in 0..<Int.random(in: 1...3, using: &random) { try addFile(in: new) }
    case 2:
      log.append("add image in \(new)")
      try addImage(in: new)
    case 3:
      log.append("add file in \(folder ?? new)")
      try addFile(in: folder ?? new)
    case 4:
      guard let file = movable.randomElement(using: &random) else { return }
      log.append("remove \(file)")
      try remove(file)
    case 5:
      guard let file = plain.randomElement(using: &random), let slash = file.lastIndex(of: "/") else { return }
      let other = "\(file[...slash])r\(number()).flac"
      log.append("rename \(file) to \(other)")
      try move(file, to: other)
    case 6:
      guard let file = plain.randomElement(using: &random) else { return }
      let other = "\(folder ?? new)/m\(number()).flac"
      log.append("move \(file) to \(other)")
      try move(file, to: other)
    case 7:
      guard let folder else { return }
      log.append("move folder \(folder) to \(new)")
      try move(folder: folder, to: new)
    case 8:
      guard let folder else { return }
      log.append("remove folder \(folder)")
      for path in Set(files.keys).union(lists.keys) where path.hasPrefix("\(folder)/") { try remove(path) }
      try catalogue.tree.remove(folder)
      touch(folder)
    case 9:
      guard let path = movable.randomElement(using: &random), var file = files[path] else { return }
      log.append("tag \(path)")
      tagged.formUnion(file.titles)
      file.tags.append("GENRE=g\(number())")
      files[path] = file
      try write(file, to: path)
      touch(path)
    default:
      let title = "l\(number())"
      let path = "\(folder ?? new)/\(title).m3u"
      log.append("add list \(path)")
      lists[path] = title
      try catalogue.tree.write(Array("#EXTM3U\n#PLAYLIST:\(title)\n".utf8), to: path)
      touch(path)
    }
  }

  private func move(folder: String, to new: String) throws {
    try catalogue.tree.move(folder, to: new)
    func isInside(_ path: String) -> Bool { path.hasPrefix("\(folder)/") }
    func place(of path: String) -> String { isInside(path) ? new + path.dropFirst(folder.count) : path }
    moved.formUnion(files.filter { isInside($0.key) }.flatMap(\.value.titles))
    moved.formUnion(lists.filter { isInside($0.key) }.values)
    files = Dictionary(files.map { (place(of: $0.key), $0.value) }) { $1 }
    lists = Dictionary(lists.map { (place(of: $0.key), $0.value) }) { $1 }
    touch("\(folder)/x")
    touch("\(new)/x")
  }

  // MARK: Scans

  /// Has the share mounted anew.
  private func mount() throws {
    mounts += 1
    DiskFaults.number(filesBelow: catalogue.tree.root, mount: isShare ? mounts : 0)
    guard isShare else { return }
    for path in files.keys where stamped.insert(path).inserted {
      try catalogue.tree.set(modified: 1_700_000_000, of: path)
    }
  }

  /// Scans while the disk fails. Returns the number of requests that failed.
  func refresh(_ scan: DiskScan) async throws -> Int {
    try mount()
    return try await scan.faults.failing(below: catalogue.tree.root) {
      if scan.isReported {
        do {
          _ = try await source.refresh(only: changed, progress: RefreshProgress())
        } catch is UncertainScan {
          // A scan of all folders would follow.
        }
      } else {
        _ = try await source.refresh(accepting: scan.accepting, progress: RefreshProgress())
      }
    }
  }

  /// Scans while the disk answers, as a person does who agrees to what is gone.
  func heal() async throws {
    try mount()
    try #require(try await source.refresh(accepting: .all, progress: RefreshProgress()) != nil)
  }

  /// Writes a note at each track that has none. The catalogue is whole.
  func noteNewTracks() async throws {
    let tracks = try await catalogue.tracks().filter { !noted.contains($0.title) }
    guard !tracks.isEmpty else { return }
    try await catalogue.garden { change in
      for track in tracks { _ = try change.notes.write(.init(id: track.id.playable, text: "note \(track.title)")) }
    }
    noted.formUnion(tracks.map(\.title))
  }

  /// Compares the catalogue with the disk. Returns what is wrong.
  ///
  /// - Parameter isHealed: true after a scan in which the disk answered.
  func fault(isHealed: Bool) async throws -> String? {
    let (titles, lists, notes) = try await catalogue.database.read { transaction in
      (
        try transaction.values("SELECT title FROM tracks") as [String],
        try transaction.values("SELECT title FROM playlists") as [String],
        try transaction.rows(
          """
          SELECT n.text, t.title FROM garden_notes n JOIN subjects s ON s.id = n.subject
          LEFT JOIN tracks t ON t.id = s.shown
          """
        ) { (text: try $0.value(0) as String, title: try $0.value(1) as String?) }
      )
    }
    let listed = titles + lists
    let there = Set(files.values.flatMap(\.titles)).union(self.lists.values)
    defer { if isHealed { before = there } }
    var doubled = Set(Dictionary(listed.map { ($0, 1) }, uniquingKeysWith: +).filter { $0.value > 1 }.keys)
    // Without a number that lasts, what has moved is another file until its old place can be read.
    if !isHealed { doubled.subtract(isShare ? moved : moved.intersection(tagged)) }
    if !doubled.isEmpty { return "listed twice: \(doubled.sorted())" }
    let certain = isHealed ? there : there.intersection(before).subtracting(moved)
    let lost = certain.subtracting(listed)
    if !lost.isEmpty { return "lost: \(lost.sorted()), problems: \(try await catalogue.status().problems)" }
    var wrong = Set(listed).subtracting(isHealed ? there : there.union(before))
    // An image whose sheet is refused is one track until the sheet can be read.
    if !isHealed { wrong = wrong.filter { !$0.hasPrefix("image") } }
    if !wrong.isEmpty { return "listed and not there: \(wrong.sorted())" }
    for note in notes {
      let title = String(note.text.dropFirst(5))
      if certain.contains(title), note.title != title { return "the note of \(title) is at \(note.title ?? "nothing")" }
    }
    return nil
  }
}
