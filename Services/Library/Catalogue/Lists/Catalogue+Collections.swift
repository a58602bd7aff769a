import Messages
package import Model
package import Records
package import Storage

/// Collections and their items.
extension Catalogue {
  /// Returns SQL for the items of a collection that are shown, each once: its position, kind and number.
  private static func shownItems(of collection: String) -> String {
    """
    SELECT min(position) AS place, kind, shown FROM (SELECT i.position, i.kind, CASE i.kind
        WHEN 1 THEN (SELECT id FROM artists WHERE id = i.item)
        WHEN 2 THEN (SELECT shelf FROM albums WHERE id = i.item)
        WHEN 3 THEN (SELECT shown FROM tracks WHERE id = i.item) END AS shown
      FROM collection_items i WHERE i.collection = \(collection)) WHERE shown IS NOT NULL GROUP BY kind, shown
    """
  }

  /// True for a collection that a person pinned, and for these two titles until a person unpins them.
  private static let isPinned = """
    ifnull((SELECT is_pinned FROM pins p WHERE p.source = c.source AND p.title = c.title_sort),
      c.title_sort IN ('current vibes', 'key albums'))
    """

  private static let itemCount = "(SELECT count(*) FROM (\(shownItems(of: "c.id"))))"

  static let collectionColumns = """
    c.source || ':c' || c.id, c.title, \(itemCount), \(isPinned), c.summary, c.source || ':' || nullif(c.art, '')
    """

  static func collection(_ row: borrowing Row) throws -> MusicCollection {
    MusicCollection(
      id: try row.value(0), title: try row.value(1), itemCount: try row.value(2), isPinned: try row.value(3),
      summary: (try row.value(4) as String?).map { String($0.prefix(8000)) }, art: try row.value(5))
  }

  /// Returns a page of collections, the pinned ones first. Throws `library.badCursor`.
  static func collections(
    _ request: Library.ListCollections, _ transaction: ReadTransaction
  ) throws -> Library.Page<MusicCollection> {
    let pinned = ListOrder.Key.number("1 - \(isPinned)")
    let title = ListOrder.Key.text("c.title_sort")
    let id = ListOrder.Key.number("c.id")
    let order =
      switch request.sort ?? .name {
      case .name: ListOrder("collections", pinned, title, id)
      case .items: ListOrder("collections-items", pinned, .number("-\(itemCount)"), title, id)
      }
    return try transaction.page(
      order, after: request.after, PageBudget(items: limit(request.limit)), collectionColumns,
      "FROM collections c WHERE TRUE", as: collection)
  }

  /// Returns the items of a collection from a position on, in its order.
  package static func items(
    ofCollection number: Int64, from position: Int64, limit: Int, _ transaction: ReadTransaction
  ) throws -> [(position: Int64, item: CatalogueID)] {
    try transaction.rows(
      "SELECT place, kind, shown FROM (\(shownItems(of: "?1"))) WHERE place >= ?2 ORDER BY place LIMIT ?3", number,
      position, limit
    ) { (try $0.value(0), CatalogueID(.init(rawValue: try $0.value(1)) ?? .album, try $0.value(2))) }
  }

  /// Returns a collection with a page of its items. Throws `library.unknownID`, `library.badCursor`.
  static func collection(
    _ request: Library.ReadCollection, _ transaction: ReadTransaction
  ) throws -> Library.CollectionPage {
    let after = try Cursor(request.after, of: "collection", count: 1)
    let number = try number(of: .collection, request.id, transaction)
    let found = try transaction.row(
      "SELECT \(collectionColumns) FROM collections c WHERE c.id = ?", number, as: collection)
    guard let found else { throw CatalogueID.unknown(request.id) }
    var page = Library.CollectionPage(collection: found, albums: [])
    var budget = PageBudget(items: longestPage, reserved: found.size)
    /// Adds an item to a list of the page; false if there is no room for it.
    func add<Item: SizedItem>(_ item: Item?, to list: inout [Item]) -> Bool {
      guard let item else { return true }
      guard budget.admits(item.size) else { return false }
      list.append(item)
      return true
    }
    for (position, item) in try items(
      ofCollection: number, from: try after?.number(0) ?? .min, limit: longestPage + 1, transaction)
    {
      let hasRoom =
        switch item.kind {
        case .album: add(try album(item.number, transaction), to: &page.albums)
        case .track: add(try track(item.number, transaction), to: &page.tracks)
        case .artist:
          add(
            try transaction.row("SELECT \(artistColumns) FROM artists r WHERE r.id = ?", item.number, as: artist),
            to: &page.artists)
        case .collection, .playlist: true
        }
      guard hasRoom else {
        page.next = Cursor("collection", [position]).text
        break
      }
    }
    return page
  }
}

extension MusicCollection: SizedItem {
  package var size: Int { 200 + PageBudget.size(title) + PageBudget.size(summary) }
}
