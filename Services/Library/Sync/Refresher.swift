import Messages
import Model
import ServiceKit
import Storage

/// Refreshes the catalogue at the start, on request and every six hours, and says how it goes.
actor Refresher {
  /// How often folders are looked through without anyone asking.
  static let interval = Duration.seconds(6 * 3600)
  /// How often progress is told.
  private static let pace = Duration.milliseconds(500)

  private let source: FilesSource
  private let database: Database
  private let log: Log
  private let publish: @Sendable (Library.CatalogueState) async -> Void

  private var plan = RefreshPlan()
  private var progress: ScanProgress?
  private var failure: LunaraError?
  private var work: Task<Void, Never>?
  private var timer: Task<Void, Never>?
  private var isStopped = false

  /// Makes a refresher; `publish` is given each new state.
  init(
    _ source: FilesSource, database: Database, log: Log,
    publish: @escaping @Sendable (Library.CatalogueState) async -> Void
  ) {
    self.source = source
    self.database = database
    self.log = log
    self.publish = publish
  }

  /// Tells what is in the store, begins the first refresh and goes on with one every six hours.
  func start() async {
    do {
      try await database.write {
        try Catalogue.note(source: FilesSource.name, kind: FilesSource.kind, isFromSettings: true, $0)
      }
    } catch {
      log.error(error)
    }
    request()
    await tell()
    timer = Task {
      while !Task.isCancelled {
        do { try await Task.sleep(for: Self.interval) } catch { return }
        request()
      }
    }
  }

  /// Asks for a refresh.
  func request(acceptsDeletions: Bool = false) {
    guard !isStopped, let accepts = plan.handle(.wanted(acceptsDeletions: acceptsDeletions)) else { return }
    begin(accepts)
  }

  /// Ends what runs; nothing of it is kept.
  func stop() async {
    isStopped = true
    timer?.cancel()
    progress?.stop()
    await work?.value
  }

  private func begin(_ accepts: Bool) {
    let progress = ScanProgress()
    self.progress = progress
    work = Task {
      let telling = Task {
        while !Task.isCancelled {
          do { try await Task.sleep(for: Self.pace) } catch { return }
          await tell()
        }
      }
      await run(accepts, progress)
      telling.cancel()
      await telling.value
      await ended()
    }
  }

  private func run(_ accepts: Bool, _ progress: ScanProgress) async {
    do {
      guard let counts = try await source.refresh(acceptsDeletions: accepts, progress: progress) else { return }
      failure = nil
      log.info(
        "refreshed \(FilesSource.name)",
        [
          "new": "\(counts.new)", "changed": "\(counts.changed)", "unchanged": "\(counts.unchanged)",
          "deleted": "\(counts.deleted)", "seconds": "\(counts.seconds)",
        ])
    } catch {
      failure = LunaraError(error)
      log.error(error)
    }
  }

  private func ended() async {
    progress = nil
    if let accepts = plan.handle(.ended), !isStopped {
      begin(accepts)
    } else {
      work = nil
    }
    guard !isStopped else { return }
    await tell()
    await warn()
  }

  /// Publishes the catalogue's state with what only this process knows.
  private func tell() async {
    do {
      var state = try await database.read(Catalogue.state)
      for index in state.sources.indices {
        state.sources[index].health = Self.health(of: state.sources[index], folders: source.folders.count)
        if let failure {
          state.sources[index].problems = [failure] + state.sources[index].problems.prefix(Catalogue.shownProblems - 1)
          state.sources[index].problemCount += 1
        }
        if let progress {
          state.sources[index].health = "scanning"
          state.sources[index].progress = Library.Progress(
            done: progress.done, total: progress.isTotalKnown ? progress.total : nil)
        }
      }
      await publish(state)
    } catch {
      log.error(error)
    }
  }

  /// How a source fares that is not being refreshed.
  static func health(of status: Library.SourceStatus, folders: Int) -> String {
    let missing = status.problems.count { $0.code == "library.folderMissing" }
    if folders > 0, missing >= folders { return "unreachable" }
    return status.tracks == 0 ? "empty" : "ready"
  }

  /// Writes the problems of the last refresh to the log as well: its first ones, and how many there are.
  private func warn() async {
    do {
      let state = try await database.read(Catalogue.state)
      for status in state.sources {
        for problem in status.problems where problem.code != "library.fileUntagged" { log.warning(problem) }
        let more = status.problemCount - status.problems.count
        if more > 0 { log.warning("\(more) more problems in \(status.name); `lunara status` shows the first") }
      }
    } catch {
      log.error(error)
    }
  }
}
