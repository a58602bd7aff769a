/// A queue whose both ends are quick.
struct FIFO<Element> {
  private var incoming: [Element] = []
  /// What leaves next is last.
  private var outgoing: [Element] = []

  /// How many elements wait.
  var count: Int { incoming.count + outgoing.count }

  /// Adds an element at the end.
  mutating func append(_ element: Element) { incoming.append(element) }

  /// Takes the element that waits longest; nil where none does.
  mutating func popFirst() -> Element? {
    if outgoing.isEmpty {
      outgoing = incoming.reversed()
      incoming = []
    }
    return outgoing.popLast()
  }
}

extension FIFO: Sendable where Element: Sendable {}
