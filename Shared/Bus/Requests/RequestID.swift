import Model

/// The id of a request. The effect of a command happens at most once for each id.
public struct RequestID: Hashable, Sendable, CustomStringConvertible {
  /// The text of the id.
  public let text: String

  public init(_ text: String) { self.text = text }

  /// Returns a random id.
  public static func random() -> RequestID { RequestID(UniqueID<RequestID>.random().rawValue) }

  /// Returns the id for the request number `step` that is made while handling this one; it is the same each time.
  public func derived(_ step: Int) -> RequestID { RequestID("\(text).\(step)") }

  public var description: String { text }
}

/// The node that asked, and the id of its request.
public struct RequestContext: Sendable {  // memberwise
  /// The request's id.
  public let id: RequestID
  /// The node that asked.
  public let from: NodeID

  /// Returns the id for a request made while handling this one, so that handling this one again does not repeat its
  /// effect.
  public func derived(_ step: Int) -> RequestID { id.derived(step) }
}
