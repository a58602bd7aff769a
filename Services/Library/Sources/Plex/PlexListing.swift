/// Goes through a paged list that may shift while it is read: decides where the next page begins, and when all was seen.
///
/// Servers send other counts than were asked for, so the place moves by what came. Each page begins with the last row of
/// the one before: where another row stands there, something came or left meanwhile and one may have fallen between the
/// pages, so the list is gone through again.
struct PlexListing {
  /// What to do after a page.
  enum Step: Equatable {
    /// Ask for the page that begins there.
    case next(Int)
    /// All was seen.
    case end
  }

  /// How often a list is gone through at most.
  static let passLimit = 4

  private(set) var seen: Set<String> = []
  /// How many there are, as the server said last.
  private(set) var total: Int?
  /// How many rows of the list lie before the next one that was not sent yet.
  private var place = 0
  /// The row that the next page has to begin with.
  private var last: String??
  private var isShifted = false
  private var passes = 1
  private var seenBefore = 0

  /// Takes a page in; gives the places of the rows that were not seen before, and what to do.
  mutating func take(keys: [String?], total: Int?) -> (new: [Int], step: Step) {
    if let last {
      place -= 1
      if let first = keys.first, first != last { isShifted = true }
    }
    var new: [Int] = []
    for (index, key) in keys.enumerated() {
      if let key, seen.insert(key).inserted { new.append(index) }
    }
    place += keys.count
    if let total { self.total = total }
    // Without a total it goes on as long as something comes that was not there before.
    let isOver = keys.isEmpty || self.total.map { place >= $0 } ?? new.isEmpty
    guard isOver else {
      // From a server that sends a row at a time, the last one again would be no progress.
      last = keys.count > 1 ? keys.last : nil
      return (new, .next(last == nil ? place : place - 1))
    }
    let isWhole = seen.count >= (self.total ?? 0) || (passes > 1 && seen.count == seenBefore)
    guard !isWhole || isShifted, passes < Self.passLimit else { return (new, .end) }
    passes += 1
    (seenBefore, place, last, isShifted) = (seen.count, 0, nil, false)
    return (new, .next(0))
  }

  /// Whether fewer were seen than there are: what was not seen may be there all the same.
  var isShort: Bool { total.map { seen.count < $0 } ?? false }

  /// Whether so much fewer were seen than there are that the answers must have been cut: servers count a few rows that
  /// they do not show.
  var isCut: Bool {
    guard let total else { return false }
    return total - seen.count > max(5, total / 100) || (total > 0 && seen.isEmpty)
  }
}
