import Messages
import Model
import Testing

@testable import lunara_playback

/// Keeps what an engine reports, for tests that wait for one thing and then look at all.
actor Listener {
  private(set) var events: [EngineEvent] = []
  private var task: Task<Void, Never>?

  init(_ engine: some Engine) {
    let reports = engine.reports
    Task { await self.listen(to: reports) }
  }

  private func listen(to reports: AsyncStream<EngineReport>) {
    task = Task { for await report in reports { take(report.event) } }
  }

  private var waiting: [(EngineEvent) -> Bool] = []

  private func take(_ event: EngineEvent) { events.append(event) }

  /// What was reported, positions within a stretch of sound left out.
  var story: [EngineEvent] {
    events.filter {
      switch $0 {
      case .position, .duration, .decoding: false
      default: true
      }
    }
  }

  func has(_ event: EngineEvent) -> Bool { events.contains(event) }

  /// The media time that flowed, segment by segment.
  var heard: [CueID: Milliseconds] {
    var heard: [CueID: Milliseconds] = [:]
    var from: Milliseconds?
    for event in events {
      switch event {
      case .flowing(_, let position): from = position
      case .position(let id, let position), .halted(let id, let position, _):
        if let start = from { heard[id, default: .zero] += position - start }
        if case .position = event { from = position } else { from = nil }
      case .began, .ended, .failed, .outputFailed: from = nil
      default: break
      }
    }
    return heard
  }
}

extension Cue {
  init(_ number: UInt64, _ path: LocalPath, from start: Milliseconds = .zero) {
    self.init(id: CueID(number: number), locator: .file(path), start: start)
  }
}
