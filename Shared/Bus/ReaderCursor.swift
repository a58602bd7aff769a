/// How far a durable reader has come in one journal; its node reports it in hellos, so that the publisher keeps what is
/// yet to be read.
struct ReaderCursor: Codable, Hashable, Sendable {
  /// The name of the reader.
  var reader: String
  /// The place of the last fact that took effect.
  var position: JournalPosition
}
