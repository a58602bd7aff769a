import CSodium
import Model

/// The file with a household's keys. Each line of text is `lunara-key-1` and 64 hexadecimal digits, or a comment that
/// begins with `#`. The first key seals, all of them open.
///
/// A word after a key tells its place in a rotation, for `lunara key rotate`; for the bus only the order matters.
public struct KeyFile: Sendable {
  /// The keys in the order of the file; at least one.
  public var entries: [Entry]
  /// The comments, which are kept when the file is written again.
  public var comments: [String]

  static let format = "lunara-key-1"
  /// The largest number of keys in a file.
  public static let keyLimit = 8
  static let sizeLimit = 64 * 1024

  /// A key and its place in a rotation.
  public struct Entry: Sendable {
    /// The key.
    public var key: HouseholdKey
    /// The place in a rotation; nil for a key that is in none.
    public var mark: Mark?

    public init(_ key: HouseholdKey, _ mark: Mark? = nil) {
      self.key = key
      self.mark = mark
    }
  }

  /// The places of a key in a rotation.
  public enum Mark: String, Sendable {
    /// The key will seal once every machine has it.
    case next
    /// The key sealed before the first one and will be dropped.
    case former
  }

  public init(_ entries: [Entry], comments: [String] = []) {
    self.entries = entries
    self.comments = comments
  }

  /// Reads a file, after a check of its owner, group and mode.
  ///
  /// - Throws: `bus.noKeyFile`, `bus.unsafeKeyFile`, `bus.badKeyFile`, `bus.noSodium`.
  public init(at path: String) throws {
    var bytes = try KeyFileAccess.contents(of: path)
    defer { bytes.withUnsafeMutableBytes { sodium_memzero($0.baseAddress, $0.count) } }
    self = try bytes.withUnsafeBytes { try KeyFile(parsing: $0, named: path) }
  }

  /// Reads the text of a file; any bytes give a value or an error.
  ///
  /// - Throws: `bus.badKeyFile`, `bus.noSodium`.
  init(parsing bytes: UnsafeRawBufferPointer, named path: String) throws {
    entries = []
    comments = []
    func bad(_ line: Int, _ why: String) -> LunaraError {
      LunaraError(
        "bus.badKeyFile",
        "Line \(line) of the key file \(path) \(why). A line is `\(Self.format)` and 64 hexadecimal digits, or a comment behind #."
      )
    }
    for (index, line) in bytes.split(separator: 10, omittingEmptySubsequences: false).enumerated() {
      // Words are ranges of the bytes, so that no copy of a secret is made.
      let words = line.split(whereSeparator: { $0 == 32 || $0 == 9 || $0 == 13 })
      guard let first = words.first else { continue }
      if first.first == UInt8(ascii: "#") {
        comments.append(String(decoding: line, as: UTF8.self))
        continue
      }
      guard first.elementsEqual(Self.format.utf8), words.count == 2 || words.count == 3 else {
        throw bad(index + 1, "is no key of a format that this version knows")
      }
      var mark: Mark?
      if words.count == 3 {
        mark = Mark(rawValue: String(decoding: words[2], as: UTF8.self))
        guard mark != nil else { throw bad(index + 1, "has an unknown word behind its key") }
      }
      let digits = words[1]
      guard digits.count == 2 * HouseholdKey.size, digits.allSatisfy({ Hexadecimal.digit($0) != nil }) else {
        throw bad(index + 1, "holds no key of 64 hexadecimal digits")
      }
      let key = try HouseholdKey { Self.decode(digits, into: $0) }
      guard !entries.contains(where: { $0.key.isSame(as: key) }) else {
        throw bad(index + 1, "holds a key that stands above already")
      }
      guard entries.count < Self.keyLimit else { throw bad(index + 1, "is one key more than \(Self.keyLimit)") }
      entries.append(Entry(key, mark))
    }
    guard !entries.isEmpty else { throw Self.empty(path) }
  }

  static func empty(_ path: String) -> LunaraError {
    LunaraError("bus.badKeyFile", "The key file \(path) holds no key. Remove it, then make one with `lunara key new`.")
  }

  private static func decode(_ digits: Slice<UnsafeRawBufferPointer>, into memory: UnsafeMutableRawPointer) {
    var place = digits.startIndex
    for index in 0..<HouseholdKey.size {
      let (high, low) = (Hexadecimal.digit(digits[place]) ?? 0, Hexadecimal.digit(digits[place + 1]) ?? 0)
      memory.storeBytes(of: high << 4 | low, toByteOffset: index, as: UInt8.self)
      place += 2
    }
  }

  /// Calls `body` with the text of the file, which is wiped afterwards.
  func withText<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
    var text: [UInt8] = []
    // The buffer must not grow, as that would leave copies behind.
    text.reserveCapacity(comments.reduce(128 * entries.count) { $0 + $1.utf8.count + 1 })
    defer { text.withUnsafeMutableBytes { sodium_memzero($0.baseAddress, $0.count) } }
    let digits = StaticString("0123456789abcdef").utf8Start
    for comment in comments { text += Array(comment.utf8) + [10] }
    for entry in entries {
      text.append(contentsOf: "\(Self.format) ".utf8)
      entry.key.withSecret {
        for byte in $0 {
          text.append(digits[Int(byte >> 4)])
          text.append(digits[Int(byte & 15)])
        }
      }
      if let mark = entry.mark { text.append(contentsOf: " \(mark.rawValue)".utf8) }
      text.append(10)
    }
    return try text.withUnsafeBytes(body)
  }
}

/// Changing the key of a household, whose machines cannot all change at one moment. A new key opens everywhere before
/// it seals anywhere, and a former key opens until it seals nowhere.
extension KeyFile {
  /// The steps of a rotation.
  public enum Stage: String, Sendable {
    /// There is one key, so that no rotation is under way.
    case idle = "settled"
    /// A new key opens but does not seal yet.
    case announced
    /// The new key seals; the former one still opens.
    case promoted
  }

  /// The step that the rotation has reached, as derived from the file.
  public var stage: Stage {
    let others = entries.dropFirst()
    return others.contains { $0.mark == .next } ? .announced : others.isEmpty ? .idle : .promoted
  }

  /// The first step: adds a key that opens and does not seal.
  ///
  /// - Throws: `bus.keyRotation` if another rotation is under way.
  public mutating func announce(_ key: HouseholdKey) throws {
    guard stage == .idle else { throw Self.wrongStep("A rotation is under way already", stage) }
    entries.append(Entry(key, .next))
  }

  /// The second step: the announced key seals from now on.
  ///
  /// - Throws: `bus.keyRotation` if no key was announced.
  public mutating func promote() throws {
    guard stage == .announced, let index = entries.dropFirst().firstIndex(where: { $0.mark == .next }) else {
      throw Self.wrongStep("There is no new key to seal with", stage)
    }
    let key = entries.remove(at: index).key
    for index in entries.indices { entries[index].mark = .former }
    entries.insert(Entry(key), at: 0)
  }

  /// The third step: drops all keys but the one that seals.
  ///
  /// - Throws: `bus.keyRotation` if the new key does not seal yet, or if there is nothing to drop.
  public mutating func finish() throws {
    guard stage == .promoted else { throw Self.wrongStep("There is no former key to drop", stage) }
    entries = [Entry(entries[0].key)]
  }

  private static func wrongStep(_ what: String, _ stage: Stage) -> LunaraError {
    let next =
      switch stage {
      case .idle: "`lunara key rotate` begins a rotation."
      case .announced: "`lunara key rotate --promote` comes next, once every machine has the new key."
      case .promoted: "`lunara key rotate --finish` comes next, once every machine seals with the new key."
      }
    return LunaraError("bus.keyRotation", "\(what). \(next)")
  }
}
