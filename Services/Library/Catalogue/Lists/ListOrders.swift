import Messages
import Model
import Storage

/// The orders of the lists of albums and tracks.
extension Catalogue {
  /// Returns the order of the album list. For `.random` and `.plays`, which are no columns, returns the order by
  /// name.
  static func order(of sort: Library.Sort, isReversed: Bool? = nil) -> ListOrder {
    let order =
      switch sort {
      case .name, .random, .plays:
        ListOrder("name", .text("a.artist_sort"), .text("a.title_sort"), .number("a.id"))
      case .title: ListOrder("title", .text("a.title_sort"), .text("a.artist_sort"), .number("a.id"))
      case .year:
        ListOrder("year", .number("a.year_order"), .text("a.artist_sort"), .text("a.title_sort"), .number("a.id"))
      case .rating:
        ListOrder("rating", .number("a.rating_order"), .text("a.artist_sort"), .text("a.title_sort"), .number("a.id"))
      case .added: ListOrder("added", .number("a.added_at"), .number("a.id"), isDescending: true)
      case .played: ListOrder("played", .number("a.played_at"), .number("a.id"), isDescending: true)
      }
    return order.reversed(isReversed)
  }

  /// Returns the order of the track list, as `order(of:isReversed:)` does. The order by year is that of the tracks'
  /// own years.
  static func trackOrder(of sort: Library.Sort, isReversed: Bool? = nil) -> ListOrder {
    let order =
      switch sort {
      case .name, .title, .random, .plays: ListOrder("tracks-name", .text("t.title_sort"), .number("t.id"))
      case .year: ListOrder("tracks-year", .number("t.year_order"), .number("t.id"))
      case .rating: ListOrder("tracks-rating", .number("t.rating_order"), .text("t.title_sort"), .number("t.id"))
      case .added: ListOrder("tracks-added", .number("t.added_at"), .number("t.id"), isDescending: true)
      case .played: ListOrder("tracks-played", .number("t.played_at"), .number("t.id"), isDescending: true)
      }
    return order.reversed(isReversed)
  }

  /// Returns the condition for the tracks of a list, with what comes before it.
  static func shownTracks(_ filter: TagConditions) -> String {
    filter.isEmpty
      ? "FROM tracks t WHERE t.shelf IS NOT NULL"
      : "FROM tracks t CROSS JOIN albums a ON a.id = t.shelf WHERE t.shelf IS NOT NULL\(filter.sql)"
  }
}

/// Orders whose places are kept in a `ListCache`.
extension Catalogue {
  /// Returns the albums or tracks with these tags by their plays, the most played first.
  static func placesByPlays(
    of subject: ListCache.Subject, _ tags: [Library.Tag], withEditions: Bool = false, keeping lists: ListCache,
    _ transaction: ReadTransaction
  ) throws -> [ListCache.Place] {
    let stamp = try ListCache.Stamp(withListens: true, transaction)
    let key = ListCache.Key(stamp: stamp, subject: subject, sort: .plays, tags: tags, hasEditions: withEditions)
    return try lists.places(key) {
      let plays = try lists.plays(subject, stamp) { try PlayCounts.read(subject, transaction) }
      let filter = try TagConditions(tags, of: subject == .albums ? .albums : .tracks, for: .count, transaction)
      let rows =
        subject == .albums
        ? "SELECT a.id FROM albums a WHERE \(isListed(withEditions))\(filter.sql)"
        : "SELECT t.id \(shownTracks(filter))"
      return try transaction.rows(rows, values: filter.values) { row in
        let number: Int64 = try row.value(0)
        return ListCache.Place(value: -Int64(plays[number] ?? 0), number: number)
      }.sorted()
    }
  }

  /// Returns a page of a list by plays. The cursor has the plays and the number of the last item, so that others may
  /// come and go.
  static func pageByPlays<Item: SizedItem>(
    _ list: String, _ places: [ListCache.Place], after: String?, limit: Int, isReversed: Bool?,
    _ read: (Int64) throws -> Item?
  ) throws -> Library.Page<Item> {
    let after = try Cursor(after, of: name(of: list, isReversed), count: 2).map {
      ListCache.Place(value: try $0.number(0), number: try $0.number(1))
    }
    let rows = try places.behind(after, isReversed: isReversed == true).prefix(limit + 1).compactMap { place in
      try read(place.number).map { (item: $0, place: place) }
    }
    return Library.Page(rows, PageBudget(items: limit), \.item) {
      cursor(ofPlays: list, behind: $0.place, isReversed)
    }
  }

  /// Returns the cursor behind an item of a list by plays.
  static func cursor(ofPlays list: String, behind place: ListCache.Place, _ isReversed: Bool?) -> Cursor {
    Cursor(name(of: list, isReversed), [place.value, place.number])
  }

  private static func name(of list: String, _ isReversed: Bool?) -> String {
    isReversed == true ? "\(list)-reversed" : list
  }
}
