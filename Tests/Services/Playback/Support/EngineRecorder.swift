import Messages
import Model
import Model
import Testing

@testable import lunara_playback

/// Records the events of an engine, so that a test can wait for one and then look at all.
actor EngineRecorder {
  private(set) var events: [EngineEvent] = []
  private var task: Task<Void, Never>?
  private var following: [Cue]
  private let prepare: @Sendable (Cue) -> Void

  /// Records the events of an engine, and prepares one of `following` whenever a prepared cue is decoded.
  init(_ engine: some Engine, following: [Cue] = []) {
    self.following = following
    prepare = { engine.send(.prepare($0)) }
    let reports = engine.reports
    Task { await self.listen(to: reports) }
  }

  private func listen(to reports: AsyncStream<EngineReport>) {
    task = Task { for await report in reports { append(report.event) } }
  }

  private func append(_ event: EngineEvent) {
    events.append(event)
    if case .decoding = event, !following.isEmpty { prepare(following.removeFirst()) }
  }

  /// The events without those that repeat while sound flows.
  var story: [EngineEvent] {
    events.filter {
      switch $0 {
      case .opening, .position, .duration, .decoding, .output, .devices, .buffered: false
      default: true
      }
    }
  }

  func has(_ event: EngineEvent) -> Bool { events.contains(event) }

  /// The errors of cues, in order.
  var failures: [LunaraError] { events.compactMap { if case .failed(_, let error) = $0 { error } else { nil } } }

  /// Returns true if any part of a cue was heard.
  func hears(_ number: UInt64) -> Bool { heard[CueID(number: number), default: .zero] > .zero }

  /// The devices that the sound went to, one after the other; nil for none.
  var outputs: [String?] { events.compactMap { if case .output(let used, _) = $0 { .some(used) } else { nil } } }

  /// The media time that flowed, by cue.
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

  /// A segment of a file, in samples.
  init(_ number: UInt64, _ path: LocalPath, samples: Range<Int64>, rate: Int = 44_100) {
    let segment = AudioSegment(start: samples.lowerBound, end: samples.upperBound, sampleRate: rate)
    self.init(id: CueID(number: number), locator: .file(path, segment: segment), start: .zero)
  }

  init(_ number: UInt64, _ url: String, headers: [String: String] = [:]) {
    self.init(id: CueID(number: number), locator: .url(url, headers: headers), start: .zero)
  }

  /// Returns the same cue with a gain.
  func gained(_ gain: Double?) -> Cue {
    var cue = self
    cue.gain = gain
    return cue
  }
}
