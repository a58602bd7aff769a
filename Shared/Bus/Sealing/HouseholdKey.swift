import CSodium
import Model
import Synchronization

/// A secret that all nodes of a household share.
///
/// It is held in guarded memory of libsodium, which is not swapped out if the system allows that, and is wiped when the
/// last reference is released. No description shows it.
///
/// Each use has a key of its own, the keyed BLAKE2b of a label: frames are sealed under `lunara-frames-1`, the first 8
/// bytes under `lunara-key-id-1` name the key, and those under `lunara-discovery-1` let machines of one household
/// recognise each other.
///
/// `@unchecked Sendable` is safe because (1) the memory is written before `init` returns and only read afterwards; (2)
/// it is wiped and freed in `deinit`, when there is no reference left.
public final class HouseholdKey: @unchecked Sendable {
  static let size = Int(crypto_aead_xchacha20poly1305_ietf_KEYBYTES)

  /// The id, which names the key without revealing it; sealed frames contain it.
  public let id: HouseholdKeyID

  /// The tag by which machines with this key find each other; it may be public: 16 hexadecimal digits.
  public let tag: String

  /// The secret, followed by the key that seals frames.
  private let memory: UnsafeMutableRawPointer

  /// Returns a random key.
  ///
  /// - Throws: `bus.noSodium`.
  public static func random() throws -> HouseholdKey { try HouseholdKey { randombytes_buf($0, size) } }

  /// Creates a key; `fill` writes its secret of 32 bytes.
  init(_ fill: (UnsafeMutableRawPointer) throws -> Void) throws {
    // Safe to call again and from any thread.
    guard sodium_init() >= 0, let memory = sodium_malloc(2 * Self.size) else {
      throw Self.noSodium
    }
    do { try fill(memory) } catch {
      sodium_free(memory)
      throw error
    }
    self.memory = memory
    Self.derive("lunara-frames-1", from: memory, into: memory + Self.size)
    id = HouseholdKeyID(Self.word("lunara-key-id-1", from: memory))
    tag = HouseholdKeyID(Self.word("lunara-discovery-1", from: memory)).description
    sodium_mprotect_readonly(memory)
  }

  static let noSodium = LunaraError(
    "bus.noSodium", "libsodium cannot be used on this system. Is there memory left?")

  // Freeing wipes the memory as well.
  deinit { sodium_free(memory) }

  private static func derive(
    _ label: String, from secret: UnsafeMutableRawPointer, into result: UnsafeMutableRawPointer
  ) {
    let label = Array(label.utf8)
    // Fails only for sizes out of range; these are constants within it.
    _ = crypto_generichash(
      result.assumingMemoryBound(to: UInt8.self), size, label, UInt64(label.count),
      secret.assumingMemoryBound(to: UInt8.self), size)
  }

  /// Returns the first 8 bytes of the key of a label.
  private static func word(_ label: String, from secret: UnsafeMutableRawPointer) -> UInt64 {
    var digest = [UInt8](repeating: 0, count: size)
    return digest.withUnsafeMutableBytes {
      if let base = $0.baseAddress { derive(label, from: secret, into: base) }
      return UnsafeRawBufferPointer($0).bigEndian(UInt64.self, at: 0)
    }
  }

  /// The key that seals frames; valid while `self` exists.
  var frameKey: UnsafePointer<UInt8> { UnsafePointer((memory + Self.size).assumingMemoryBound(to: UInt8.self)) }

  /// Calls `body` with the secret's 32 bytes.
  func withSecret<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
    try body(UnsafeRawBufferPointer(start: memory, count: Self.size))
  }

  /// The key itself as 64 hexadecimal digits, to be shown on request and never logged. The text is not wiped.
  public var secretText: String { withSecret { Hexadecimal.text($0) } }

  /// Returns true if two keys have the same secret. The comparison takes constant time.
  func isSame(as other: HouseholdKey) -> Bool { sodium_memcmp(memory, other.memory, Self.size) == 0 }
}

extension HouseholdKey: CustomStringConvertible, CustomReflectable {
  /// The key's id, never the key.
  public var description: String { "key \(id)" }
  /// A mirror that has only the id.
  public var customMirror: Mirror { Mirror(self, children: ["id": id.description]) }
}

/// The id of a household key: 8 bytes that reveal nothing about the key.
public struct HouseholdKeyID: Hashable, Sendable, CustomStringConvertible {
  /// The 8 bytes as a number, the first one highest.
  let number: UInt64

  init(_ number: UInt64) { self.number = number }

  /// 16 hexadecimal digits.
  public var description: String { Hexadecimal.text(number) }
}

/// The keys of a household in a running node: the first seals, all of them open.
public final class KeyRing: Sendable {
  /// The path of the key file.
  public let path: String

  /// The keys, at least one; the one that seals comes first.
  private let keys: Mutex<[HouseholdKey]>

  /// Reads the key file.
  ///
  /// - Throws: `bus.noKeyFile`, `bus.badKeyFile`, `bus.unsafeKeyFile`, `bus.noSodium`.
  public init(file path: String) throws {
    self.path = path
    keys = Mutex(try Self.read(path))
  }

  /// Reads the file again: from now on its first key seals, and removed keys open nothing. If the file cannot be used,
  /// the keys stay as they are.
  ///
  /// - Throws: the errors of `init`.
  public func reload() throws {
    let read = try Self.read(path)
    keys.withLock { $0 = read }
  }

  /// The ids of the keys, that of the one that seals first.
  public var ids: [HouseholdKeyID] { all.map(\.id) }

  /// The public tags by which machines with one of the keys find this one, that of the key that seals first.
  public var tags: [String] { all.map(\.tag) }

  /// The key that seals.
  var first: HouseholdKey { keys.withLock { $0[0] } }

  /// All keys, the one that seals first.
  var all: [HouseholdKey] { keys.withLock { $0 } }

  /// Returns the key with an id; nil if it is not, or no longer, a key of this household.
  func key(_ id: HouseholdKeyID) -> HouseholdKey? { keys.withLock { $0.first { $0.id == id } } }

  private static func read(_ path: String) throws -> [HouseholdKey] { try KeyFile(at: path).entries.map(\.key) }
}
