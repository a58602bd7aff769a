import Messages
import Model
import Records
import ServiceKit
import Storage

/// Opinions that were not yet sent to services.
///
/// An entry is added in the transaction that stores the opinion, and removed once the service has it. A service that
/// received it just before the library was killed receives it again: a server is first asked what it has, and
/// ListenBrainz keeps one entry for each album.
package enum OpinionOutbox {
  /// One message to a service.
  package struct Entry: OutboxItem, Hashable {
    var id: Int64
    var service: String
    /// The source with the album; empty for services that are no sources.
    var source: String
    /// The server's own id of the album, or its MusicBrainz release group; nil if there is none now.
    var target: String?
    /// The number of times that the service has refused it.
    var failures: Int

    package var destination: String { source.isEmpty ? service : source }
  }

  /// The number of refusals after which an entry is tried again only when a person asks for it.
  static let mostFailures = 5

  /// Queues an album's opinion, which a subject has, for the services.
  static func enqueue(
    _ opinion: Library.Opinion, of album: Int64, _ subject: Int64, _ kinds: SourceKinds, _ transaction: Transaction
  ) throws {
    for service in OpinionServices.all(kinds) where service.tells == opinion {
      guard try OpinionServices.isOn(service, transaction) else { continue }
      guard service != OpinionServices.listenBrainz else {
        try add(service.name, source: "", album, opinionOf: subject, transaction)
        continue
      }
      // A server that has an album several times gets one entry. That is one with a rating if there is one, so
      // that a server that gets a rating only if it has none gives no second one.
      let members = try transaction.rows(
        """
        SELECT m.source, m.id FROM albums a JOIN albums m ON m.merge_key = a.merge_key AND m.shelf = a.id
          JOIN sources s ON s.name = m.source WHERE a.id = ? AND s.kind = ?
        ORDER BY m.source, m.own_rating IS NULL, m.id
        """, album, service.name
      ) { (source: try $0.value(0) as String, number: try $0.value(1) as Int64) }
      var told: Set<String> = []
      for member in members where told.insert(member.source).inserted {
        try add(service.name, source: member.source, member.number, opinionOf: subject, transaction)
      }
    }
  }

  private static func add(
    _ service: String, source: String, _ album: Int64, opinionOf opinion: Int64, _ transaction: Transaction
  ) throws {
    try transaction.execute(
      "INSERT OR REPLACE INTO opinion_outbox (opinion, service, source, album) VALUES (?, ?, ?, ?)", opinion, service,
      source, album)
  }

  /// Removes the waiting opinions of a shown album, which were replaced or taken back before they were sent.
  static func cancel(at shown: Int64, _ transaction: Transaction) throws {
    try transaction.execute(
      "DELETE FROM opinion_outbox WHERE opinion IN (\(OpinionStore.subjectsOfAlbum))", shown)
  }

  /// Returns what can be sent, those with the fewest refusals first. An opinion that does not stand at the moment, as
  /// albums were merged, is not told.
  static func waiting(_ transaction: ReadTransaction) throws -> [Entry] {
    try transaction.rows(
      """
      SELECT x.id, x.service, x.source, CASE WHEN x.source = '' THEN ifnull((SELECT release_group FROM albums
          WHERE id = s.shown), s.release_group)
        ELSE ifnull((SELECT key FROM albums WHERE id = x.album AND source = x.source),
          (SELECT key FROM albums WHERE shelf = s.shown AND source = x.source ORDER BY id LIMIT 1)) END, x.failures
      FROM opinion_outbox x JOIN album_opinions o ON o.subject = x.opinion AND o.stands = 1
        JOIN subjects s ON s.id = o.subject
      WHERE x.is_refused = 0 ORDER BY x.failures, x.id
      """
    ) { row in
      Entry(
        id: try row.value(0), service: try row.value(1), source: try row.value(2), target: try row.value(3),
        failures: try row.value(4))
    }
  }

  /// Returns true if an entry was neither sent nor cancelled.
  static func isWaiting(_ id: Int64, _ transaction: ReadTransaction) throws -> Bool {
    try transaction.value("SELECT count(*) > 0 FROM opinion_outbox WHERE id = ? AND is_refused = 0", id) ?? false
  }

  /// Removes an entry that was sent.
  static func end(_ id: Int64, _ transaction: Transaction) throws {
    try transaction.execute("DELETE FROM opinion_outbox WHERE id = ?", id)
  }

  /// Stores why an entry could not be sent.
  ///
  /// - Parameters:
  ///   - isRefusal: true if the service answered and refused.
  ///   - isFinal: true if it would refuse the same always.
  static func fail(
    _ entry: Entry, _ error: LunaraError, isRefusal: Bool, isFinal: Bool, at now: Timestamp, _ transaction: Transaction
  ) throws {
    let failures = entry.failures + (isRefusal ? 1 : 0)
    try transaction.execute(
      "UPDATE opinion_outbox SET failures = ?, problem = ?, tried_at = ?, is_refused = ? WHERE id = ?", failures,
      String(decoding: try MessageCoding.encode(error), as: UTF8.self), now, isFinal || failures >= mostFailures,
      entry.id)
  }

  /// Retries the submissions that services rejected. Throws `library.unknownService`.
  static func retry(_ service: String?, _ kinds: SourceKinds, _ transaction: Transaction) throws {
    for name in try OpinionServices.names(service, kinds) {
      try transaction.execute("UPDATE opinion_outbox SET is_refused = 0, failures = 0 WHERE service = ?", name)
    }
  }

  /// Returns the numbers of entries that wait for a service and that it refused, and its last error that still stands.
  static func state(
    of service: String, _ transaction: ReadTransaction
  ) throws -> (waiting: Int, failed: Int, problem: LunaraError?) {
    try transaction.row(
      """
      SELECT ifnull(sum(is_refused = 0), 0), ifnull(sum(is_refused), 0), (SELECT problem FROM opinion_outbox
        WHERE service = ?1 AND problem IS NOT NULL ORDER BY tried_at DESC, id LIMIT 1)
      FROM opinion_outbox WHERE service = ?1
      """, service
    ) { row in
      let problem: String? = try row.value(2)
      return (
        try row.value(0), try row.value(1),
        try problem.map { try MessageCoding.decode(LunaraError.self, from: $0.utf8) }
      )
    } ?? (0, 0, nil)
  }

  /// Returns the services that did not accept an opinion, by its subject.
  static func problems(_ transaction: ReadTransaction) throws -> [Int64: [Library.SharingProblem]] {
    let rows = try transaction.rows(
      """
      SELECT x.opinion, x.service, min(x.id), x.problem FROM opinion_outbox x
        JOIN album_opinions o ON o.subject = x.opinion AND o.stands = 1
      WHERE x.problem IS NOT NULL GROUP BY x.opinion, x.service ORDER BY min(x.id)
      """
    ) { row in
      let error = try MessageCoding.decode(LunaraError.self, from: (try row.value(3) as String).utf8)
      return (try row.value(0) as Int64, Library.SharingProblem(service: try row.value(1), error: error))
    }
    return Dictionary(grouping: rows, by: \.0).mapValues { $0.map(\.1) }
  }
}
