import Bus
import Messages
import Model

/// The steps by which a recording is sent to a service. It does no I/O.
struct ReplayPlan: Sendable {
  struct Step: Sendable, Equatable {
    var after: Milliseconds
    var recorded: RecordedMessage
  }

  let steps: [Step]
  /// The number of lines that are left out: messages of the bus itself, and traces of requests.
  let leftOut: Int

  /// Plans the replay of a recording.
  ///
  /// A recording of the past has the facts of one node after those of another, so they are sorted by time. The facts of
  /// one node keep their order, even if its clock went back. States from before the first fact or signal are sent with
  /// it.
  init(_ recording: [RecordedMessage]) {
    let wanted = recording.filter { $0.delivery != .request && !$0.kind.hasPrefix("bus.") }
    leftOut = recording.count - wanted.count
    let timed = wanted.inOrderOfTime { ($0.time, $0.delivery == .fact ? $0.node : nil) }
    let start = timed.first { $0.element.delivery != .state }?.time ?? timed.first?.time
    steps = timed.map { Step(after: max(.zero, $0.time - (start ?? $0.time)), recorded: $0.element) }
  }

  func count(_ delivery: Delivery) -> Int { steps.count { $0.recorded.delivery == delivery } }
}

enum ReplaySpeed: Equatable, Sendable {
  case times(Double)
  case unpaced

  init?(_ text: String) {
    if text == "max" {
      self = .unpaced
    } else if let factor = Double(text), factor.isFinite, factor > 0 {
      self = .times(factor)
    } else {
      return nil
    }
  }

  /// Returns the time after the start at which a message is due that has the offset `after` in the recording.
  func delay(_ after: Milliseconds) -> Duration {
    switch self {
    case .unpaced: .zero
    case .times(let factor): .seconds(after.seconds / factor)
    }
  }
}

extension Array {
  /// Returns the elements sorted by time. Those with the same node keep their order, even if the node's clock went
  /// back; those without a node are sorted by time alone.
  func inOrderOfTime(_ place: (Element) -> (time: Timestamp, node: NodeID?)) -> [(time: Timestamp, element: Element)] {
    var latest: [NodeID: Timestamp] = [:]
    return enumerated().map { index, element in
      var (time, node) = place(element)
      if let node {
        time = Swift.max(time, latest[node] ?? time)
        latest[node] = time
      }
      return (time: time, index: index, element: element)
    }.sorted { ($0.time, $0.index) < ($1.time, $1.index) }.map { ($0.time, $0.element) }
  }
}
