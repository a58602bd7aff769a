/// The id of an item: its source and its id there, printed and encoded as `source:native` (`files:a12`, `plex:t4711`).
///
/// The type parameter prevents that the id of an album is used as that of a track.
public struct ItemID<Kind>: Hashable, Sendable {
  /// The source's name: letters, digits and dashes, without a colon.
  public var source: String
  /// The id within the source; may contain any character.
  public var native: String

  /// The same id without the type of the item.
  public var playable: PlayableID { PlayableID(source: source, native: native) }
}

extension ItemID: TextCodable {
  /// Reads `source:native`; nil if the colon or a part is missing.
  public init?(_ text: String) {
    guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")), colon != text.startIndex else { return nil }
    let native = text[text.utf8.index(after: colon)...]
    guard !native.isEmpty else { return nil }
    self.init(source: String(text[..<colon]), native: String(native))
  }

  /// The id as people see and type it.
  public var description: String { "\(source):\(native)" }
}

extension ItemID: Comparable {
  /// Orders by source, then by native id.
  public static func < (left: ItemID, right: ItemID) -> Bool {
    (left.source, left.native) < (right.source, right.native)
  }
}

/// The id of an album.
public typealias AlbumID = ItemID<Album>
/// The id of a track.
public typealias TrackID = ItemID<Track>
/// The id of an artist.
public typealias ArtistID = ItemID<Artist>
/// The id of an item that can be played, whose type is not known.
public typealias PlayableID = ItemID<Playable>
/// The id of a collection.
public typealias CollectionID = ItemID<MusicCollection>
/// The id of a playlist.
public typealias PlaylistID = ItemID<Playlist>
/// The id of a musical work.
public typealias WorkID = ItemID<Work>
/// The id of a picture.
public typealias ArtID = ItemID<Art>

/// The type parameter of ids whose type is not known.
public enum Playable {}
/// The type parameter of the ids of pictures.
public enum Art {}

/// The digits, and the letters except i, l, o and u, which look like digits or form words.
private let idAlphabet = Array("0123456789abcdefghjkmnpqrstvwxyz".utf8)

/// A short random id of something that Lunara creates, such as a queue entry or a listen. Encoded as its text.
public struct UniqueID<Kind>: RawRepresentable, Codable, Hashable, Sendable, CustomStringConvertible {
  /// The text of the id.
  public var rawValue: String

  public init(rawValue: String) { self.rawValue = rawValue }

  /// Returns a random id of 20 letters and digits (100 random bits).
  public static func random(using generator: inout some RandomNumberGenerator) -> UniqueID {
    // Each number from the system's generator is a system call, so one number is used for ten characters of five bits.
    let draws = [generator.next(), generator.next()]
    return UniqueID(
      rawValue: String(unsafeUninitializedCapacity: 20) { buffer in
        for index in 0..<20 {
          buffer[index] = idAlphabet[Int(draws[index / 10] >> (5 * UInt64(index % 10)) & 31)]
        }
        return 20
      })
  }

  /// Returns a random id from the system's generator.
  public static func random() -> UniqueID {
    var generator = SystemRandomNumberGenerator()
    return random(using: &generator)
  }

  public var description: String { rawValue }
}

/// The id of an entry in a queue; a track that is queued twice has two entries.
public typealias EntryID = UniqueID<QueueItem>
/// The id of a listen to a track, from its start to its end, across pauses, restarts and moves.
public typealias ListenID = UniqueID<Listen>

/// The type parameter of the ids of listens.
public enum Listen {}

/// The name of a room, which is the name of its playback node: 1 to 32 characters of `a-z`, `0-9` and `-`.
public struct RoomName: RawRepresentable, Codable, Hashable, Comparable, Sendable, LosslessStringConvertible {
  /// The text of the name.
  public let rawValue: String

  /// Creates a name from text of this form; nil for other text.
  public init?(rawValue: String) {
    guard Self.isName(rawValue) else { return nil }
    self.rawValue = rawValue
  }

  public init?(_ description: String) { self.init(rawValue: description) }

  /// Creates a name from any text, such as a host name: in lower case, without the marks of Latin letters (`kuche` for
  /// `Küche`), with other characters replaced by dashes. If nothing is left, the name is `room`, with a number that
  /// follows from the letters if there are any, such as `room-5ce4` for `台所`.
  public init(from text: String) {
    var name = ""
    for scalar in text.lowercased().unicodeScalars where scalar.properties.generalCategory != .nonspacingMark {
      let plain = Self.isName(String(scalar)) ? String(scalar) : Self.latin(scalar)
      if let plain {
        guard name.utf8.count + plain.utf8.count <= 32 else { break }
        name += plain
      } else if !name.isEmpty, !name.hasSuffix("-"), name.utf8.count < 32 {
        name += "-"
      }
    }
    while name.hasSuffix("-") { name.removeLast() }
    while name.hasPrefix("-") { name.removeFirst() }
    rawValue = name.isEmpty ? Self.numbered(text) : name
  }

  /// Returns `room` with four digits that follow from the letters of a text; `room` if it has none.
  private static func numbered(_ text: String) -> String {
    let letters = text.lowercased().unicodeScalars.filter(\.properties.isAlphabetic)
    guard !letters.isEmpty else { return "room" }
    // FNV-1a, folded to 16 bits.
    let hash = letters.reduce(UInt32(2_166_136_261)) { ($0 ^ $1.value) &* 16_777_619 }
    let digits = String((hash >> 16) ^ (hash & 0xffff), radix: 16)
    return "room-" + String(repeating: "0", count: 4 - digits.count) + digits
  }

  /// Returns the title of a room that a person calls by a text, if the name lacks something of it; nil if not.
  public func title(from text: String) -> String? {
    let words = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    return words.isEmpty || words.lowercased() == rawValue ? nil : words
  }

  /// Returns the plain letters of a small Latin letter, such as `u` for `ü` and `ae` for `æ`; nil for other characters.
  private static func latin(_ scalar: Unicode.Scalar) -> String? {
    if scalar == "ß" { return "ss" }
    // Unicode calls it LATIN SMALL LETTER U WITH DIAERESIS.
    let words = (scalar.properties.name ?? "").split(separator: " ")
    guard words.count > 3, words.starts(with: ["LATIN", "SMALL", "LETTER"]), words[3].utf8.count <= 2 else {
      return nil
    }
    let letters = words[3].lowercased()
    return isName(letters) ? letters : nil
  }

  public var description: String { rawValue }

  /// Orders by name.
  public static func < (left: RoomName, right: RoomName) -> Bool { left.rawValue < right.rawValue }

  /// Returns true if a text can be the name of a room or node.
  public static func isName(_ text: String) -> Bool {
    (1...32).contains(text.utf8.count)
      && text.utf8.allSatisfy { (97...122).contains($0) || (48...57).contains($0) || $0 == 45 }
  }
}
