/// The name of a thing within the source it comes from, printed and encoded as `source:native` (`files:a12`,
/// `plex:t4711`).
///
/// The phantom type keeps an album's id from being used as a track's.
public struct ItemID<Kind>: Hashable, Sendable {
  /// The source's name: letters, digits and dashes, no colon.
  public var source: String
  /// Its name within the source; may hold any character.
  public var native: String

  public init(source: String, native: String) {
    self.source = source
    self.native = native
  }

  /// The same id, where it does not matter of what kind the thing is.
  public var playable: PlayableID { PlayableID(source: source, native: native) }
}

extension ItemID: TextCodable {
  /// Reads `source:native`; nil where the colon or one of the parts is missing.
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
/// The id of anything that can be played, before one knows what it is.
public typealias PlayableID = ItemID<Playable>
/// The id of a collection.
public typealias CollectionID = ItemID<MusicCollection>
/// The id of a playlist.
public typealias PlaylistID = ItemID<Playlist>
/// The reference of a picture.
public typealias ArtID = ItemID<Art>

/// Marks an id whose kind is not known yet.
public enum Playable {}
/// Marks the reference of a picture.
public enum Art {}

/// Digits, and the letters that neither look like digits nor make words.
private let idAlphabet = Array("0123456789abcdefghjkmnpqrstvwxyz".utf8)

/// A short random name for something made here: a queue entry, a listen. Encoded as its text.
public struct UniqueID<Kind>: RawRepresentable, Codable, Hashable, Sendable, CustomStringConvertible {
  /// The name itself.
  public var rawValue: String

  public init(rawValue: String) { self.rawValue = rawValue }

  /// Draws a new id of 20 letters and digits (100 random bits).
  public static func random(using generator: inout some RandomNumberGenerator) -> UniqueID {
    // Each draw of the system's generator is a system call, so one serves ten characters of five bits.
    let draws = [generator.next(), generator.next()]
    return UniqueID(
      rawValue: String(unsafeUninitializedCapacity: 20) { buffer in
        for index in 0..<20 {
          buffer[index] = idAlphabet[Int(draws[index / 10] >> (5 * UInt64(index % 10)) & 31)]
        }
        return 20
      })
  }

  /// Draws a new id with the system's generator.
  public static func random() -> UniqueID {
    var generator = SystemRandomNumberGenerator()
    return random(using: &generator)
  }

  public var description: String { rawValue }
}

/// The id of one place in a queue; the same track queued twice has two.
public typealias EntryID = UniqueID<QueueItem>
/// The id of one hearing of one track, from its start to its end, across pauses, restarts and moves.
public typealias ListenID = UniqueID<Listen>

/// Marks the id of a listen.
public enum Listen {}

/// The name of a room, which is the name of its playback node: 1 to 32 of `a-z`, `0-9` and `-`.
public struct RoomName: RawRepresentable, Codable, Hashable, Comparable, Sendable, LosslessStringConvertible {
  /// The name itself.
  public let rawValue: String

  /// Takes a name that already has the right form; nil otherwise.
  public init?(rawValue: String) {
    guard Self.isName(rawValue) else { return nil }
    self.rawValue = rawValue
  }

  public init?(_ description: String) { self.init(rawValue: description) }

  /// Makes a name out of free text, such as a host name: lower case, other characters become dashes; `room` where
  /// nothing is left.
  public init(from text: String) {
    var name = ""
    for character in text.lowercased() where name.utf8.count < 32 {
      if Self.isName(String(character)) {
        name.append(character)
      } else if !name.isEmpty, !name.hasSuffix("-") {
        name.append("-")
      }
    }
    while name.hasSuffix("-") { name.removeLast() }
    while name.hasPrefix("-") { name.removeFirst() }
    rawValue = name.isEmpty ? "room" : name
  }

  public var description: String { rawValue }

  /// Orders by name.
  public static func < (left: RoomName, right: RoomName) -> Bool { left.rawValue < right.rawValue }

  /// True if text can be the name of a room or node.
  public static func isName(_ text: String) -> Bool {
    (1...32).contains(text.utf8.count)
      && text.utf8.allSatisfy { (97...122).contains($0) || (48...57).contains($0) || $0 == 45 }
  }
}
