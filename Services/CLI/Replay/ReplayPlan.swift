import Bus
import Messages
import Model

/// What of a recording is fed to a service, in which order and when. Pure.
struct ReplayPlan: Sendable {
  /// Something to be said.
  struct Step: Sendable, Equatable {
    /// How long after the beginning, at the recorded pace.
    var after: Milliseconds
    var recorded: RecordedMessage
  }

  /// All that is fed, in order.
  let steps: [Step]
  /// How much of the recording is not fed: what the bus says on its own behalf, and traces of requests.
  let leftOut: Int

  /// Plans a recording.
  ///
  /// A recording of the past holds the facts of one node after those of another, so it is brought into the order of
  /// time. The facts of one node keep theirs, whatever their clock did. States from before the first fact or signal
  /// come with it.
  init(_ recording: [RecordedMessage]) {
    let wanted = recording.filter { $0.delivery != .request && !$0.kind.hasPrefix("bus.") }
    leftOut = recording.count - wanted.count
    var latest: [NodeID: Timestamp] = [:]
    let timed = wanted.enumerated().map { place, recorded -> (time: Timestamp, place: Int, recorded: RecordedMessage) in
      var time = recorded.time
      if recorded.delivery == .fact {
        time = max(time, latest[recorded.node] ?? time)
        latest[recorded.node] = time
      }
      return (time, place, recorded)
    }.sorted { ($0.time, $0.place) < ($1.time, $1.place) }
    let start = timed.first { $0.recorded.delivery != .state }?.time ?? timed.first?.time
    steps = timed.map { Step(after: max(.zero, $0.time - (start ?? $0.time)), recorded: $0.recorded) }
  }

  /// How many of its steps are of a class.
  func count(_ delivery: Delivery) -> Int { steps.count { $0.recorded.delivery == delivery } }
}

/// How much faster than recorded something is fed.
enum ReplaySpeed: Equatable, Sendable {
  /// So many times as fast.
  case times(Double)
  /// Without any pause.
  case unpaced

  /// Reads `max` or a number above zero.
  init?(_ text: String) {
    if text == "max" {
      self = .unpaced
    } else if let factor = Double(text), factor.isFinite, factor > 0 {
      self = .times(factor)
    } else {
      return nil
    }
  }

  /// How long after the beginning something is due that came `after` it in the recording.
  func delay(_ after: Milliseconds) -> Duration {
    switch self {
    case .unpaced: .zero
    case .times(let factor): .seconds(after.seconds / factor)
    }
  }
}
