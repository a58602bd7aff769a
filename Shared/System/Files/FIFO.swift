/// A queue that appends and removes in constant time.
public struct FIFO<Element> {
  private var incoming: [Element] = []
  /// The elements that are removed next, in reverse order.
  private var outgoing: [Element] = []

  public init() {}

  /// The number of elements.
  public var count: Int { incoming.count + outgoing.count }

  /// True if there are no elements.
  public var isEmpty: Bool { incoming.isEmpty && outgoing.isEmpty }

  /// Adds an element at the end.
  public mutating func append(_ element: Element) { incoming.append(element) }

  /// Removes and returns the oldest element; nil if there is none.
  public mutating func popFirst() -> Element? {
    if outgoing.isEmpty {
      outgoing = incoming.reversed()
      incoming = []
    }
    return outgoing.popLast()
  }
}

extension FIFO: Sendable where Element: Sendable {}
