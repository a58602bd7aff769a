public import Bus
import Glibc
import Model
import Synchronization

/// A household of several machines within one process: each is a bus with a runtime directory and a folder of its own,
/// and they connect over tcp on loopback.
public final class TestHousehold: Sendable {
  /// Its keys; nil for a household without keys.
  public let keys: KeyRing?
  /// The first port that its nodes try. Other households on this machine use other ports.
  public let base: UInt16
  private let folder = TemporaryDirectory()
  private static let firstPort: UInt16 = 6_400
  private static let count = Atomic(0)

  /// Makes a household, with a key of its own or without any.
  public init(isSealed: Bool = true) throws {
    // No two households share ports: each has the 32 pairs of ports that its nodes may try.
    base = Self.firstPort + UInt16((Int(getpid()) * 13 + Self.count.add(1, ordering: .relaxed).newValue) % 400) * 64
    guard isSealed else {
      keys = nil
      return
    }
    let path = folder.path + "/household.key"
    try Self.writeKey(to: path)
    keys = try KeyRing(file: path)
  }

  /// The address that a node which started first listens on.
  public var seed: String { "127.0.0.1:\(base)" }

  /// The network settings by which a node of this household reaches the others.
  ///
  /// - Parameters:
  ///   - host: the machine's name, under which its nodes store what they know; nil stores nothing.
  ///   - seeds: the addresses at which it looks for others.
  ///   - takesOver: true to take over a name that another node has.
  public func network(host: String?, seeds: [String] = [], takesOver: Bool = false) -> Network {
    Network(
      listen: "tcp://127.0.0.1:\(base)", seeds: seeds, keys: keys, folder: host.map { "\(folder.path)/\($0)" },
      identity: host ?? "", takesOver: takesOver)
  }

  /// Writes a key file with one random key.
  public static func writeKey(to path: String) throws {
    var digits = ""
    for _ in 0..<64 { digits += String(Int.random(in: 0..<16), radix: 16) }
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    let line = "lunara-key-1 \(digits)\n"
    guard descriptor >= 0, write(descriptor, line, line.utf8.count) == line.utf8.count else {
      throw LunaraError("test.noKey", "cannot write \(path)")
    }
    close(descriptor)
  }
}
