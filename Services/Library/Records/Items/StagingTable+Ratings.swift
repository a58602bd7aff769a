import Messages
package import Model
package import Storage

/// Ratings that are given here while a refresh reads the server.
extension StagingTable {
  /// Notes a rating that the server has accepted: a reading under way may have read the item before.
  package static func note(
    _ rating: Rating?, of item: RatedItem, at source: String, _ transaction: Transaction
  ) throws {
    try transaction.execute(
      "INSERT OR REPLACE INTO staged (source, kind, native, body) VALUES (?, ?, ?, ?)", source, Kind.rating.rawValue,
      "\(item.stagedKind.rawValue)=\(item.native)", rating.map { [UInt8($0.rawValue)] } ?? [])
  }

  /// Writes the noted ratings into the staged records of a source, where they replace what was read before.
  package static func applyNotedRatings(of source: String, _ transaction: Transaction) throws {
    let notes = try transaction.rows(
      "SELECT native, body FROM staged WHERE source = ? AND kind = ?", source, Kind.rating.rawValue
    ) { (key: try $0.value(0) as String, body: try $0.value(1) as [UInt8]) }
    for note in notes {
      let parts = note.key.split(separator: "=", maxSplits: 1)
      guard parts.count == 2, let kind = Int(parts[0]).flatMap(Kind.init) else { continue }
      let rating = note.body.first.flatMap { Rating(rawValue: Int($0)) }
      let native = String(parts[1])
      switch kind {
      case .artist: try change(ServerArtist.self, kind, native, of: source, transaction) { $0.rating = rating }
      case .album: try change(ServerAlbum.self, kind, native, of: source, transaction) { $0.rating = rating }
      case .track: try change(ServerTrack.self, kind, native, of: source, transaction) { $0.rating = rating }
      default: continue
      }
    }
  }

  /// Changes a staged record; does nothing where it is not staged.
  private static func change<Record: ServerRecord>(
    _ type: Record.Type, _ kind: Kind, _ native: String, of source: String, _ transaction: Transaction,
    _ body: (inout Record) -> Void
  ) throws {
    let staged: [UInt8]? = try transaction.value(
      "SELECT body FROM staged WHERE source = ? AND kind = ? AND native = ?", source, kind.rawValue, native)
    guard let staged else { return }
    var record = try MessageCoding.decode(type, from: staged)
    body(&record)
    let encoded = Array(try MessageCoding.encode(record))
    try transaction.execute(
      "UPDATE staged SET body = ? WHERE source = ? AND kind = ? AND native = ?", encoded, source, kind.rawValue, native)
  }
}
