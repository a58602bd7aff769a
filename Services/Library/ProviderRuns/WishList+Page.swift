import Messages
import Model
import People
import Storage
import Sync

extension WishList {
  /// Reads a page of the wishes that are not in the library, the latest first.
  static func page(_ request: Library.ListWishes, _ transaction: ReadTransaction) throws -> Library.Page<Library.Wish> {
    let limit = max(1, min(request.limit, 200))
    let before = request.after.flatMap { Int64($0) } ?? .max
    var wishes = try transaction.rows(
      "SELECT \(columns) FROM wishes WHERE NOT is_here AND id < ? ORDER BY id DESC LIMIT ?", before,
      limit + 1
    ) { try Self.wish($0) }
    let isMore = wishes.count > limit
    wishes = Array(wishes.prefix(limit))
    var ledgers: [Library.SyncPart: ItemLedger] = [:]
    for part in parts { ledgers[part] = try ProviderStore.ledger(of: part, transaction) }
    for index in wishes.indices {
      let part: Library.SyncPart = wishes[index].album == nil ? .artists : .albums
      let item = SyncItem(artist: wishes[index].artist, album: wishes[index].album ?? "")
      wishes[index].providers = ledgers[part]?.items[item.id]?.sources.keys.sorted() ?? []
    }
    return Library.Page(items: wishes, next: isMore ? wishes.last.map { "\($0.id)" } : nil)
  }
}
