import FoundationEssentials
import Glibc
import Model

/// What a node keeps of the household from run to run, as JSON in a file of its own: the term of its claim, and where
/// the others were, so that a household that restarts at once finds itself again.
struct KeptRoster: Codable, Equatable, Sendable {
  /// A node and when it was last heard.
  struct Kept: Codable, Equatable, Sendable {
    var entry: RosterEntry
    var heardAt: Timestamp
  }

  /// The term under which this node holds its name.
  var term: Int64 = 0
  /// Whether another took the name: this node may only serve its journal then.
  var isDisplaced = false
  var nodes: [Kept] = []

  /// After this time a node is not looked for any more.
  static let patience = Milliseconds(30 * 86_400_000)
  static let limit = 256

  /// Reads the file; one that is missing, or that no version of ours has written, is an empty one.
  init(from path: String) {
    do {
      let bytes = try Data(contentsOf: URL(filePath: path))
      self = try JSONDecoder().decode(KeptRoster.self, from: bytes)
    } catch {
      // Without it nodes find each other through seeds, as at the first start.
      self.init()
    }
  }

  init() {}

  /// Writes the file, whole or not at all.
  ///
  /// - Throws: `bus.cannotKeepRoster`.
  func write(to path: String) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let bytes = Array(try encoder.encode(self)) + [10]
    let temporary = "\(path).\(getpid())"
    let descriptor = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw Self.failure(path) }
    // A term that is forgotten in a power cut would let a name have two holders, so it is on the disk before it is said.
    let isWritten = Glibc.write(descriptor, bytes, bytes.count) == bytes.count && fsync(descriptor) == 0
    let failure = isWritten ? nil : Self.failure(path)
    close(descriptor)
    if let failure {
      unlink(temporary)
      throw failure
    }
    guard rename(temporary, path) == 0 else { throw Self.failure(path) }
    // The name is on the disk once its folder is.
    let folder = open(String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)]), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard folder >= 0 else { return }
    fsync(folder)
    close(folder)
  }

  /// Takes in who was heard in this run, and how long ago; whoever was not heard for 30 days is dropped.
  mutating func update(_ entries: [(entry: RosterEntry, age: Milliseconds)], at now: Timestamp) {
    for (entry, age) in entries {
      let kept = Kept(entry: entry, heardAt: now - age)
      if let index = nodes.firstIndex(where: { $0.entry.id == entry.id }) {
        nodes[index] = kept
      } else {
        nodes.append(kept)
      }
    }
    nodes.removeAll { now - $0.heardAt > Self.patience }
    nodes.sort { $0.entry.id < $1.entry.id }
    if nodes.count > Self.limit { nodes = Array(nodes.sorted { $0.heardAt > $1.heardAt }.prefix(Self.limit)) }
  }

  private static func failure(_ path: String) -> LunaraError {
    LunaraError(
      "bus.cannotKeepRoster", "The household's roster cannot be kept in \(path). Is the disk full, or read-only?",
      cause: String(cString: strerror(errno)))
  }
}
