import Model
import Synchronization

/// The keys of a household as a running node uses them: the first seals, all of them open.
public final class KeyRing: Sendable {
  /// The file they come from.
  public let path: String

  private struct Keys {
    var first: HouseholdKey
    var others: ArraySlice<HouseholdKey>
  }

  private let keys: Mutex<Keys>

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
  public var ids: [HouseholdKeyID] { keys.withLock { [$0.first.id] + $0.others.map(\.id) } }

  /// What may be said in public to be found by who has one of the keys, that of the key that seals first.
  public var tags: [String] { keys.withLock { [$0.first.tag] + $0.others.map(\.tag) } }

  /// The key that seals.
  var first: HouseholdKey { keys.withLock { $0.first } }

  /// All keys, the one that seals first.
  var all: [HouseholdKey] { keys.withLock { [$0.first] + $0.others } }

  /// The key with an id; nil for one that is not of this household, or not any more.
  func key(_ id: HouseholdKeyID) -> HouseholdKey? {
    keys.withLock { keys in keys.first.id == id ? keys.first : keys.others.first { $0.id == id } }
  }

  private static func read(_ path: String) throws -> Keys {
    let keys = try KeyFile(at: path).entries.map(\.key)
    guard let first = keys.first else { throw KeyFile.empty(path) }
    return Keys(first: first, others: keys.dropFirst())
  }
}
