import Messages
import Model
import Records

/// The pages of one list, one after the other.
struct PlexPages {
  let client: PlexClient
  let path: String
  let query: PlexQuery
  let progress: RefreshProgress
  /// True for a list of changes, where a single row that is counted and never listed may be the only one.
  var isOfChanges = false
  private(set) var listing = PlexListing()
  private(set) var step = PlexListing.Step.next(0)

  /// Returns the headers that request `size` rows from `start` on. Other clients request at most 500 at once.
  static func window(_ start: Int, size: Int = 500) -> [(String, String)] {
    [("X-Plex-Container-Start", "\(start)"), ("X-Plex-Container-Size", "\(size)")]
  }

  var isEmpty: Bool { listing.seen.isEmpty }

  /// True if an item that the server did not send may still exist.
  var isShort: Bool { listing.isShort }

  /// Reads the next page and returns those of its rows that were on no page before; nil at the end.
  mutating func next() async throws -> [JSONView]? {
    guard case .next(let start) = step else { return nil }
    if progress.isStopped { throw CancellationError() }
    let page = try await client.page(path, query, headers: Self.window(start)).page
    let taken = listing.add(keys: page.rows.map { PlexRecords.key($0) }, total: page.total)
    step = taken.step
    if step == .end, listing.isCut || (isEmpty && listing.total ?? 0 > 0 && !isOfChanges) {
      throw PlexError.unreadableAnswer(client.name)
    }
    return taken.new.map { page.rows[$0] }
  }
}

extension PlexClient {
  /// Returns all rows of a list that is short enough to be kept in memory. Throws `library.sourceAway` if the server
  /// lists fewer rows than it counts, since what is missing would count as deleted.
  func rows(_ path: String, _ query: PlexQuery = PlexQuery(), progress: RefreshProgress) async throws -> [JSONView] {
    var all: [JSONView] = []
    var pages = PlexPages(client: self, path: path, query: query, progress: progress)
    while let rows = try await pages.next() { all += rows }
    guard !pages.isShort else { throw PlexError.unreadableAnswer(name) }
    return all
  }
}

/// A `MediaContainer`: one page of an answer.
struct PlexPage {
  let container: JSONView
  /// The most rows that a server can mean when it counts them.
  private static let mostRows = 1 << 31

  /// The rows, which are in `Metadata`, or in `Directory` for sections.
  let rows: [JSONView]

  /// Reads an answer. Throws `library.sourceAway` for anything else, such as the HTML pages that servers send for
  /// errors with any status.
  init(_ body: [UInt8], of server: String) throws {
    guard let container = JSONView(body)?["MediaContainer"] else { throw PlexError.unreadableAnswer(server) }
    self.init(container)
    // Rows that are counted but not sent would look like the end of the list.
    if rows.isEmpty, let size = container["size"]?.integer, size > 0 { throw PlexError.unreadableAnswer(server) }
  }

  init(_ container: JSONView) {
    self.container = container
    rows = (container["Metadata"] ?? container["Directory"] ?? container["Track"])?.elements ?? []
  }

  /// The number of rows on all pages; nil if the server does not say.
  var total: Int? { container["totalSize"]?.integer(in: 0...Self.mostRows) }
}

/// Decides where the next page of a list begins, and when all rows were seen, even if the list changes meanwhile.
///
/// Servers may send more or fewer rows than were requested, so the offset grows by the rows that came. Each page is to
/// begin with the last row of the one before. If it does not, rows were added or removed meanwhile and one may have
/// been missed between the pages, so the list is read again.
struct PlexListing {
  enum Step: Equatable {
    case next(Int)
    case end
  }

  static let passLimit = 4

  private(set) var seen: Set<String> = []
  private(set) var total: Int?
  /// The offset in the list of the next row that was not sent yet.
  private var place = 0
  /// The row that the next page has to begin with.
  private var last: String??
  private var isShifted = false
  /// The rows of this pass, from the second one on.
  private var ofPass: Set<String> = []
  /// True if all counted rows were seen, or if a further pass brought exactly the rows of those before: servers also
  /// count rows that they never list.
  private var isComplete = false
  private var passes = 1
  private var seenBefore = 0

  /// Adds a page. Returns the indexes of the rows that were not seen before, and the next step.
  mutating func add(keys: [String?], total: Int?) -> (new: [Int], step: Step) {
    if let last {
      place -= 1
      if let first = keys.first, first != last { isShifted = true }
    }
    let new = keys.indices.filter { index in keys[index].map { seen.insert($0).inserted } ?? false }
    if passes > 1 { ofPass.formUnion(keys.compactMap { $0 }) }
    place += keys.count
    if let total { self.total = total }
    // Without a total it continues as long as something comes that was not there before.
    let isOver = keys.isEmpty || self.total.map { place >= $0 } ?? new.isEmpty
    guard isOver else {
      // If a page has one row, the next one must not begin with that row, or nothing new would ever come.
      last = keys.count > 1 ? keys.last : nil
      return (new, .next(last == nil ? place : place - 1))
    }
    let isWhole = seen.count >= (self.total ?? 0) || (passes > 1 && seen.count == seenBefore)
    isComplete = !isShifted && (seen.count >= (self.total ?? 0) || ofPass.count == seen.count)
    guard !isWhole || isShifted, passes < Self.passLimit else { return (new, .end) }
    passes += 1
    ofPass = []
    seenBefore = seen.count
    place = 0
    last = nil
    isShifted = false
    return (new, .next(0))
  }

  /// True if fewer rows were seen than the server counts and the list was changing, so that an item that was not seen
  /// may still exist.
  var isShort: Bool { !isComplete && total.map { seen.count < $0 } ?? false }

  /// True if so many rows are missing that the answers must have been incomplete: a few missing rows are normal, as
  /// servers also count rows that they do not show.
  var isCut: Bool {
    guard let total else { return false }
    return total - seen.count > max(5, total / 100)
  }
}

/// The query of a request to Plex, built by hand: operators such as `>>=` have to be sent as they are, and only values
/// are encoded. With the operators encoded a server ignores the filter, or answers 400.
struct PlexQuery: Hashable, Sendable {
  private(set) var text = ""

  init(_ parts: KeyValuePairs<String, String> = [:]) { for (name, value) in parts { add(name, value) } }

  /// Adds `name=value`; the name may end with an operator's signs (`addedAt>>`).
  mutating func add(_ name: String, _ value: String) {
    text += (text.isEmpty ? "?" : "&") + name + "=" + Self.encoded(value)
  }

  func with(_ name: String, _ value: String) -> PlexQuery {
    var query = self
    query.add(name, value)
    return query
  }

  /// A value with everything escaped but what RFC 3986 calls unreserved, and commas, which part lists of ids.
  static func encoded(_ value: String) -> String { PercentCoding.encode(value, keeping: ",") }
}
