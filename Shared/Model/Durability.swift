/// The failures that an acknowledged change has to survive.
public enum Durability: String, Codable, Sendable {
  /// The end of the process, such as by `kill -9`: committed without fsync.
  case process
  /// A power cut: committed with fsync.
  case power
}
