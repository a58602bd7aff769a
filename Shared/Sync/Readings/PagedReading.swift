/// Collects the pages of a list and tells if they are one complete reading. A list that changes while it is read may
/// have an entry on two pages and another one on none, so that its pages must not be compared with anything.
public struct PagedReading<Element: Sendable>: Sendable {
  /// The elements of all pages so far.
  public private(set) var elements: [Element] = []
  private var total: Int?
  private var snapshot: String?
  private var isSteady = true
  private var pages = 0

  /// Creates a reading without pages.
  public init() {}

  /// The position at which the next page begins.
  public var offset: Int { elements.count }

  /// True if no further page can make this a complete reading.
  public var isSpoilt: Bool { !isSteady }

  /// Adds a page.
  ///
  /// - Parameters:
  ///   - page: the elements of the page, which follow those that were added before.
  ///   - total: the number of elements of the whole list as this page tells it; nil if it does not.
  ///   - snapshot: the provider's mark of the contents as this page tells it; nil if it does not.
  public mutating func add(_ page: [Element], total: Int?, snapshot: String? = nil) {
    if pages > 0, total != self.total || snapshot != self.snapshot { isSteady = false }
    self.total = total
    self.snapshot = snapshot
    elements += page
    pages += 1
    if let total, elements.count > total { isSteady = false }
  }

  /// Returns the elements of a complete reading; nil if pages are missing or the list changed meanwhile.
  ///
  /// - Parameter identity: the id of an element that occurs only once in a list; nil if an element may occur twice.
  public func complete(identity: ((Element) -> String?)? = nil) -> [Element]? {
    guard isSteady, pages > 0, total == nil || elements.count == total else { return nil }
    if let identity {
      var seen: Set<String> = []
      for element in elements {
        guard let id = identity(element) else { continue }
        guard seen.insert(id).inserted else { return nil }
      }
    }
    return elements
  }
}
