import Model

/// What the supervisor tells the log.
enum Report: Hashable, Sendable {
  /// A service ended unasked and is started again.
  case restarting(Service, Ending, after: Milliseconds)
  /// A service that had ended is ready again.
  case back(Service, after: Milliseconds)
  /// Some services are still not ready.
  case slow([Service])
  /// The demo library could not be made.
  case notPrepared(Ending)
  /// The end was asked for.
  case stopping
  /// Some did not end in time.
  case killing([Service])

  /// What is printed.
  var text: String {
    switch self {
    case .restarting(let service, let ending, .zero): "\(service) \(ending); starting it again"
    case .restarting(let service, let ending, let delay):
      "\(service) \(ending); starting it again in \(delay.rawValue / 1000) s"
    case .back(let service, let time): "\(service) is back after \(time.rawValue) ms"
    case .slow(let services): "still waiting for \(Self.list(services)): their lines above say more"
    case .notPrepared(let ending): "the demo library could not be made: its maker \(ending)"
    case .stopping: "stopping"
    case .killing(let services): "\(Self.list(services)) did not stop in time and had to be killed"
    }
  }

  /// Whether something is wrong.
  var isWarning: Bool {
    switch self {
    case .restarting, .slow, .notPrepared, .killing: true
    case .back, .stopping: false
    }
  }

  private static func list(_ services: [Service]) -> String { services.map(\.name).joined(separator: ", ") }
}
