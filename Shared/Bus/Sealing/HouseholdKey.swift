import CSodium
import Model
import Synchronization

/// One secret that all nodes of a household share.
///
/// It lies in memory of libsodium's own, which is not swapped out where the system allows that, and is wiped when the
/// last holder lets go. No description shows it.
///
/// Each use has a key of its own, made with keyed BLAKE2b of a label: frames are sealed under
/// `lunara-frames-1`, the first 8 bytes under `lunara-key-id-1` name the key, those under `lunara-discovery-1` let
/// machines of one household recognise each other, and each use of `Signing` has its own.
///
/// Why `@unchecked Sendable`: 1. the memory is written before `init` returns and only read from then on; 2. it is wiped
/// and freed in `deinit`, when nobody holds it any more.
public final class HouseholdKey: @unchecked Sendable {
  static let size = Int(crypto_aead_xchacha20poly1305_ietf_KEYBYTES)

  /// Names the key without telling it; sealed frames bear it.
  public let id: HouseholdKeyID

  /// The tag that a machine with this key may say in public to be found by others: 16 hexadecimal digits.
  public let tag: String

  /// The secret, then the key that frames are sealed with.
  private let memory: UnsafeMutableRawPointer

  /// Draws a new one.
  ///
  /// - Throws: `bus.noSodium`.
  public static func random() throws -> HouseholdKey { try HouseholdKey { randombytes_buf($0, size) } }

  /// Makes a key whose secret `fill` writes: 32 bytes.
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

  // Wipes it as well.
  deinit { sodium_free(memory) }

  private static func derive(
    _ label: String, from secret: UnsafeMutableRawPointer, into result: UnsafeMutableRawPointer
  ) {
    let label = Array(label.utf8)
    // Fails only for sizes out of range, and these are constants within it.
    _ = crypto_generichash(
      result.assumingMemoryBound(to: UInt8.self), size, label, UInt64(label.count),
      secret.assumingMemoryBound(to: UInt8.self), size)
  }

  /// The first 8 bytes of what is made with a label.
  private static func word(_ label: String, from secret: UnsafeMutableRawPointer) -> UInt64 {
    var digest = [UInt8](repeating: 0, count: size)
    return digest.withUnsafeMutableBytes {
      if let base = $0.baseAddress { derive(label, from: secret, into: base) }
      return UnsafeRawBufferPointer($0).bigEndian(UInt64.self, at: 0)
    }
  }

  /// The key that frames are sealed with, while `self` lives.
  var frameKey: UnsafePointer<UInt8> { UnsafePointer((memory + Self.size).assumingMemoryBound(to: UInt8.self)) }

  /// The keyed BLAKE2b of a text, 32 bytes, under the key that a label has.
  func signature(of text: String, label: String) -> [UInt8] {
    let bytes = Array(text.utf8)
    return withUnsafeTemporaryAllocation(byteCount: Self.size, alignment: 1) { key in
      guard let base = key.baseAddress else { return [] }
      Self.derive(label, from: memory, into: base)
      defer { sodium_memzero(base, Self.size) }
      var result = [UInt8](repeating: 0, count: Self.size)
      _ = crypto_generichash(
        &result, Self.size, bytes, UInt64(bytes.count), base.assumingMemoryBound(to: UInt8.self), Self.size)
      return result
    }
  }

  /// Calls `body` with the secret's 32 bytes.
  func withSecret<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
    try body(UnsafeRawBufferPointer(start: memory, count: Self.size))
  }

  /// The key itself, 64 hexadecimal digits: for the eyes of who asks for it, never for a log. The text is not wiped.
  public var secretText: String { withSecret { Hexadecimal.text($0) } }

  /// True if two keys are the same secret, told in constant time.
  func isSame(as other: HouseholdKey) -> Bool { sodium_memcmp(memory, other.memory, Self.size) == 0 }
}

extension HouseholdKey: CustomStringConvertible, CustomReflectable {
  /// The key's id, never the key.
  public var description: String { "key \(id)" }
  /// Shows the id and nothing else.
  public var customMirror: Mirror { Mirror(self, children: ["id": id.description]) }
}

/// Names a household key: 8 bytes that say nothing about it.
public struct HouseholdKeyID: Hashable, Sendable, CustomStringConvertible {
  /// The 8 bytes, the first one highest.
  let number: UInt64

  init(_ number: UInt64) { self.number = number }

  /// 16 hexadecimal digits.
  public var description: String { Hexadecimal.text(number) }
}

/// The keys of a household as a running node uses them: the first seals, all of them open.
public final class KeyRing: Sendable {
  /// The file they come from.
  public let path: String

  /// At least one; that which seals comes first.
  private let keys: Mutex<[HouseholdKey]>

  /// Reads the key file.
  ///
  /// - Throws: `bus.noKeyFile`, `bus.badKeyFile`, `bus.unsafeKeyFile`, `bus.noSodium`.
  public init(file path: String) throws {
    self.path = path
    keys = Mutex(try Self.read(path))
  }

  /// Reads the file again: from now on its first key seals, and a key that is gone opens nothing. Where the file cannot
  /// be used the keys stay as they are.
  ///
  /// - Throws: as `init`.
  public func reload() throws {
    let read = try Self.read(path)
    keys.withLock { $0 = read }
  }

  /// The ids of the keys, that of the one that seals first.
  public var ids: [HouseholdKeyID] { all.map(\.id) }

  /// The tags that may be said in public to be found by who has one of the keys, that of the key that seals first.
  public var tags: [String] { all.map(\.tag) }

  /// The key that seals.
  var first: HouseholdKey { keys.withLock { $0[0] } }

  /// All keys, the one that seals first.
  var all: [HouseholdKey] { keys.withLock { $0 } }

  /// The key with an id; nil for one that is not of this household, or not any more.
  func key(_ id: HouseholdKeyID) -> HouseholdKey? { keys.withLock { $0.first { $0.id == id } } }

  private static func read(_ path: String) throws -> [HouseholdKey] { try KeyFile(at: path).entries.map(\.key) }
}

/// Signatures of texts, such as addresses that are handed out, by the household's keys: keyed BLAKE2b under a key of
/// its own for each use, so that a signature for one is nothing to another.
///
/// The first key signs, all of them are accepted, so a key is rotated without what was signed before becoming void.
public struct Signing: Sendable {
  private let label: String
  private let keys: KeyRing?
  /// The key that signs where there is no household's key: void with the process.
  private let own: HouseholdKey

  /// Makes signatures for the use that a label names, for example `lunara-media-1`; without the household's keys by a
  /// random one that no other process knows.
  ///
  /// - Throws: `bus.noSodium`.
  public init(label: String, keys: KeyRing?) throws {
    self.label = label
    self.keys = keys
    own = try .random()
  }

  /// The signature of a text: 64 hexadecimal digits.
  public func signature(of text: String) -> String {
    Hexadecimal.text((keys?.first ?? own).signature(of: text, label: label))
  }

  /// True if a signature is one of this text, told in constant time.
  public func accepts(_ signature: String, of text: String) -> Bool {
    guard let bytes = Hexadecimal.bytes(of: signature.utf8), bytes.count == HouseholdKey.size else { return false }
    return (keys?.all ?? [own]).contains { key in
      let right = key.signature(of: text, label: label)
      return sodium_memcmp(right, bytes, right.count) == 0
    }
  }
}
