/// A queue that appends and removes in constant time.
public struct FIFO<Element> {
  private var incoming: [Element] = []
  /// The elements that leave next, the first of them last.
  private var outgoing: [Element] = []

  public init() {}

  /// The number of elements that wait.
  public var count: Int { incoming.count + outgoing.count }

  /// True while no element waits.
  public var isEmpty: Bool { incoming.isEmpty && outgoing.isEmpty }

  /// Adds an element at the end.
  public mutating func append(_ element: Element) { incoming.append(element) }

  /// Removes and returns the element that waits longest; nil where none does.
  public mutating func popFirst() -> Element? {
    if outgoing.isEmpty {
      outgoing = incoming.reversed()
      incoming = []
    }
    return outgoing.popLast()
  }
}

extension FIFO: Sendable where Element: Sendable {}
