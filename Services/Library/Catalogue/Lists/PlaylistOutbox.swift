import Messages
package import Model
package import Records
import ServiceKit
package import Storage
import Text

/// The playlists of servers that were changed here and whose server does not have the change yet.
///
/// A row has the playlist as both sides last had it. What is sent is found by comparing that with the playlist here and
/// with the one at the server. It is stored before it is sent, so that a change whose answer was lost is not made
/// twice.
package enum PlaylistOutbox {
  /// The number of refusals after which a change is given up; errors while a server is away do not count.
  package static let mostFailures = 5
  /// The beginning of the ids of playlists that the server is still to make.
  private static let pending = "pending:"

  package struct Item: OutboxItem, Hashable {
    package var playlist: Int64
    package var source: String
    /// The server's own id; nil for a playlist that the server is still to make.
    package var native: String?
    package var base: [String]
    package var baseTitle: String
    package var baseSummary: String?
    package var failures: Int
    /// The tracks that were sent last, and those that were here then; nil if nothing was sent yet.
    package var sent: [String]?
    package var sentFrom: [String]?
    /// The server's ids of the playlists that it had before it was asked to make this one; nil if it was not asked.
    package var listed: [String]?
    /// The playlist as it is here; nil for one that was deleted.
    package var present: Present?

    /// The playlist: a change that waits holds up no change of another one.
    package var destination: String { "\(playlist)" }

    /// Returns true for a playlist that the server may have made for this one though its answer was lost: it has the
    /// same title and was not there before. Returns false if the server was not asked to make one.
    package func isCandidate(_ list: ListedPlaylist) -> Bool {
      guard let listed else { return false }
      return list.title.normalised == baseTitle.normalised && !listed.contains(list.native)
    }

    /// Returns the tracks that a candidate had when the server made it, if the server made it for this playlist: it has
    /// all tracks that were sent, or nothing but some of them in their order, as a server may stop halfway and may skip
    /// tracks that it no longer has. Returns nil for a person's own playlist of that title.
    package func made(among natives: [String]) -> [String]? {
      guard let sent, !natives.isEmpty else { return nil }
      var rest = sent[...]
      let isPart = natives.allSatisfy { native in
        guard let at = rest.firstIndex(of: native) else { return false }
        rest = rest[(at + 1)...]
        return true
      }
      if isPart { return natives }
      return Set(sent).isSubset(of: natives) ? sent : nil
    }
  }

  package struct Present: Hashable, Sendable {
    package var title: String
    package var summary: String?
    package var natives: [String]
  }

  /// Notes that a playlist is going to be changed here. Must be called before the change.
  package static func begin(_ playlist: Int64, _ transaction: Transaction) throws {
    let natives = try natives(of: playlist, transaction)
    try transaction.execute(
      """
      INSERT OR IGNORE INTO playlist_outbox (playlist, source, native, base, title, summary)
      SELECT id, source, native, ?2, title, summary FROM playlists WHERE id = ?1
      """, playlist, try text(natives))
  }

  /// Queues the creation of a playlist on the server. Returns its temporary id until the server assigns one.
  package static func create(_ playlist: Int64, source: String, title: String, _ transaction: Transaction) throws
    -> String
  {
    try transaction.execute(
      """
      INSERT OR REPLACE INTO playlist_outbox (playlist, source, native, base, title) VALUES (?, ?, ?, '[]', ?)
      """, playlist, source, "\(pending)\(playlist)", title)
    return "\(pending)\(playlist)"
  }

  package static func items(_ transaction: ReadTransaction) throws -> [Item] {
    let items = try transaction.rows(
      """
      SELECT o.playlist, o.source, o.native, o.base, o.title, o.summary, o.failures, p.title, p.summary, o.sent,
        o.sent_from, o.listed
      FROM playlist_outbox o LEFT JOIN playlists p ON p.id = o.playlist ORDER BY o.playlist
      """
    ) { row in
      let title: String? = try row.value(7)
      let native: String = try row.value(2)
      func list(_ text: String?) throws -> [String]? {
        try text.map { try MessageCoding.decode([String].self, from: $0.utf8) }
      }
      return Item(
        playlist: try row.value(0), source: try row.value(1), native: native.hasPrefix(pending) ? nil : native,
        base: try list(row.value(3)) ?? [], baseTitle: try row.value(4), baseSummary: try row.value(5),
        failures: try row.value(6), sent: try list(row.value(9)), sentFrom: try list(row.value(10)),
        listed: try list(row.value(11)),
        present: try title.map { Present(title: $0, summary: try row.value(8), natives: []) })
    }
    return try items.map { item in
      var item = item
      if item.present != nil { item.present?.natives = try natives(of: item.playlist, transaction) }
      return item
    }
  }

  /// Returns ids as they are stored.
  private static func text(_ natives: [String]) throws -> String {
    String(decoding: try MessageCoding.encode(natives), as: UTF8.self)
  }

  /// Stores that the server is about to create a playlist, and the playlists that it has now.
  package static func storeCreation(
    of item: Item, _ present: Present, listed: [String], _ transaction: Transaction
  ) throws {
    // After a power cut the server must not have a playlist that this row does not know of.
    transaction.requireDurability(.power)
    try transaction.execute(
      "UPDATE playlist_outbox SET title = ?2, sent = ?3, sent_from = ?3, listed = ?4 WHERE playlist = ?1",
      item.playlist, present.title, try text(present.natives), try text(listed))
  }

  /// Returns true for a playlist of a server that it may just have made for one of ours. The next sending links both.
  static func isBeingMade(_ list: ServerList, source: String, _ transaction: ReadTransaction) throws -> Bool {
    try items(transaction).contains { item in
      item.source == source && item.native == nil && item.isCandidate(.init(native: list.native, title: list.title))
        && item.made(among: list.items) != nil
    }
  }

  /// Returns the server's ids of the other playlists that were made here.
  package static func madeHere(besides item: Item, _ transaction: ReadTransaction) throws -> Set<String> {
    let natives: [String] = try transaction.values(
      """
      SELECT native FROM playlists WHERE source = ? AND id <> ? AND created_at IS NOT NULL AND native IS NOT NULL
      """, item.source, item.playlist)
    return Set(natives)
  }

  /// Stores the id of a playlist that the server created. Removes the second copy if a refresh has found it in the
  /// meantime.
  package static func storeCreated(_ item: Item, native: String, _ transaction: Transaction) throws {
    let others: [Int64] = try transaction.values(
      "SELECT id FROM playlists WHERE source = ? AND native = ? AND id <> ?", item.source, native, item.playlist)
    var search = SearchIndex(transaction)
    for other in others {
      search.mark(.playlist, other)
      try transaction.execute("DELETE FROM playlist_entries WHERE playlist = ?", other)
      try transaction.execute("DELETE FROM playlists WHERE id = ?", other)
      try remove(other, transaction)
    }
    try search.finish(only: .playlist)
    try transaction.execute("UPDATE playlists SET native = ?2 WHERE id = ?1", item.playlist, native)
    try transaction.execute(
      "UPDATE playlist_outbox SET native = ?2, base = ?3, listed = NULL WHERE playlist = ?1", item.playlist, native,
      try text(item.base))
  }

  /// Notes what is sent, before it is, and the base that it was merged with.
  package static func storeSending(_ item: Item, sent: [String], from present: [String], _ transaction: Transaction)
    throws
  {
    try transaction.execute(
      "UPDATE playlist_outbox SET base = ?2, sent = ?3, sent_from = ?4 WHERE playlist = ?1", item.playlist,
      try text(item.base), try text(sent), try text(present))
  }

  /// Ends an item: the server has the playlist with these tracks and texts. Returns false if it was changed here
  /// meanwhile; then it stays, with what the server has as the new base.
  package static func finish(
    _ item: Item, native: String, at server: ServerPlaylist, note: String?, _ transaction: Transaction
  ) throws -> Bool {
    try storeCreated(item, native: native, transaction)
    try transaction.execute("UPDATE playlists SET note = ?2 WHERE id = ?1", item.playlist, note)
    try Catalogue.countListChange(transaction)
    let present = try items(transaction).first { $0.playlist == item.playlist }?.present
    guard let present, present == item.present else {
      try transaction.execute(
        """
        UPDATE playlist_outbox SET base = ?2, title = ?3, summary = ?4, failures = 0, problem = NULL, sent = NULL,
          sent_from = NULL, listed = NULL
        WHERE playlist = ?1
        """, item.playlist, try text(server.natives), server.title, server.summary)
      return false
    }
    try PlaylistEntries(of: item.playlist, transaction).setNatives(server.natives)
    try link(item.playlist, item.source, transaction)
    try remove(item.playlist, transaction)
    try transaction.execute(
      "UPDATE playlists SET summary = ?2, revision = revision + 1 WHERE id = ?1", item.playlist, server.summary)
    return true
  }

  /// Gives a change up that the server refuses: the playlist is again what both sides last had.
  package static func giveUp(_ item: Item, note: String, _ transaction: Transaction) throws {
    try Catalogue.countListChange(transaction)
    guard item.native != nil else {
      try transaction.execute("DELETE FROM playlist_entries WHERE playlist = ?", item.playlist)
      try transaction.execute("DELETE FROM playlists WHERE id = ?", item.playlist)
      return try remove(item.playlist, transaction)
    }
    try PlaylistEntries(of: item.playlist, transaction).setNatives(item.base)
    try link(item.playlist, item.source, transaction)
    try transaction.execute(
      "UPDATE playlists SET title = ?2, note = ?3, revision = revision + 1, digest = 0 WHERE id = ?1", item.playlist,
      item.baseTitle, note)
    try remove(item.playlist, transaction)
  }

  package static func fail(_ item: Item, _ error: LunaraError, isRefused: Bool, _ transaction: Transaction) throws {
    try transaction.execute(
      "UPDATE playlist_outbox SET failures = failures + ?2, problem = ?3 WHERE playlist = ?1", item.playlist,
      isRefused ? 1 : 0, error.message)
  }

  package static func remove(_ playlist: Int64, _ transaction: Transaction) throws {
    try transaction.execute("DELETE FROM playlist_outbox WHERE playlist = ?", playlist)
  }

  private static func natives(of playlist: Int64, _ transaction: ReadTransaction) throws -> [String] {
    try transaction.values(
      "SELECT native FROM playlist_entries WHERE playlist = ? AND native IS NOT NULL ORDER BY place", playlist)
  }

  /// Finds the tracks of the entries by the server's ids.
  private static func link(_ playlist: Int64, _ source: String, _ transaction: Transaction) throws {
    try transaction.execute(
      """
      UPDATE playlist_entries AS e SET track = (SELECT id FROM tracks t WHERE t.source = ?2 AND t.native = e.native)
      WHERE playlist = ?1
      """, playlist, source)
  }
}
