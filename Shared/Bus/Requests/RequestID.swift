import Model

/// The id of a request. A command's effect happens at most once for one id.
public struct RequestID: Hashable, Sendable, CustomStringConvertible {
  /// The text of the id.
  public let text: String

  public init(_ text: String) { self.text = text }

  /// Draws a new id.
  public static func random() -> RequestID { RequestID(UniqueID<RequestID>.random().rawValue) }

  /// The id of the request that is step number `step` of handling this one: the same again when this one is handled
  /// again.
  public func derived(_ step: Int) -> RequestID { RequestID("\(text).\(step)") }

  public var description: String { text }
}

/// The node that asked, and the id of its request.
public struct RequestContext: Sendable {
  /// The request's id.
  public let id: RequestID
  /// The node that asked.
  public let from: NodeID

  public init(id: RequestID, from: NodeID) {
    self.id = id
    self.from = from
  }

  /// The id for a request made while handling this one, so that handling it again repeats nothing.
  public func derived(_ step: Int) -> RequestID { id.derived(step) }
}
