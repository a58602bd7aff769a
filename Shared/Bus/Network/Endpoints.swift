/// Where a node can be reached from other machines.
public struct Endpoints: Codable, Hashable, Sendable {
  /// The address at which it hears, `tcp://HOST:PORT`.
  public var inbox: String
  /// The address at which it is asked.
  public var desk: String

  /// Makes endpoints.
  public init(inbox: String, desk: String) {
    self.inbox = inbox
    self.desk = desk
  }

  /// Whether both are addresses of this machine itself.
  var areLoopback: Bool { [inbox, desk].allSatisfy { TCPAddress($0)?.isLoopback ?? false } }
}
