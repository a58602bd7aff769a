import Messages
import Model

/// The pages of one list, one after the other.
struct PlexPages {
  private let client: PlexClient
  private let path: String
  private let query: PlexQuery
  private let progress: RefreshProgress
  private var listing = PlexListing()
  private var step = PlexListing.Step.next(0)

  /// How many rows a page is asked to have. More than that no server was seen to be asked for.
  static let size = 500

  init(_ client: PlexClient, _ path: String, _ query: PlexQuery, progress: RefreshProgress) {
    self.client = client
    self.path = path
    self.query = query
    self.progress = progress
  }

  /// How many rows the list has; nil where the server does not say.
  var total: Int? { listing.total }

  /// Whether none came.
  var isEmpty: Bool { listing.seen.isEmpty }

  /// Whether fewer rows came than the server counts.
  var isShort: Bool { listing.isShort }

  /// The rows of the next page that were not on one before; nil at the end.
  ///
  /// - Throws: as `PlexClient.page`; `library.sourceAway` as well where the list ended much too early.
  mutating func next() async throws -> [JSONView]? {
    guard case .next(let start) = step else { return nil }
    if progress.isStopped { throw CancellationError() }
    let window = [("X-Plex-Container-Start", "\(start)"), ("X-Plex-Container-Size", "\(Self.size)")]
    let page = try await client.page(path, query, headers: window).page
    let taken = listing.take(keys: page.rows.map { PlexRecords.key($0) }, total: page.total)
    step = taken.step
    if step == .end, listing.isCut { throw PlexError.nonsense(client.name) }
    return taken.new.map { page.rows[$0] }
  }
}

extension PlexClient {
  /// All rows of a list that is short enough to be held.
  func rows(_ path: String, _ query: PlexQuery = PlexQuery(), progress: RefreshProgress) async throws -> [JSONView] {
    var all: [JSONView] = []
    var pages = PlexPages(self, path, query, progress: progress)
    while let rows = try await pages.next() { all += rows }
    return all
  }
}
