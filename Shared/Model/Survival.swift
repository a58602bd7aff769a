/// What an acknowledged change must survive.
public enum Durability: String, Codable, Sendable {
  /// `kill -9` of the process: committed, without fsync.
  case process
  /// A power cut: committed with fsync.
  case power
}
