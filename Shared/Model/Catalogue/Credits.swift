/// A kind of part that a person has in a track or an album.
public enum CreditRole: String, TolerantName, CaseIterable {
  /// An artist of the track.
  case artist
  case albumArtist
  case composer
  case conductor
  /// The author of the words of a song.
  case lyricist
  case remixer
  /// A musician; the credit may name the instrument.
  case performer
  case arranger
  case producer
  case engineer
  case mixer
  /// The person who mixed tracks into each other.
  case djMixer
  /// An author whose part, words or music, is not known.
  case writer
  case director
  case unknown

  /// The number of the role as databases keep it, 0 to 13; nil for a role that this version does not know.
  public var number: Int? { self == .unknown ? nil : Self.allCases.firstIndex(of: self) }

  /// Creates the role that databases keep as this number; nil for numbers of newer versions.
  public init?(number: Int) {
    guard Self.allCases.indices.contains(number), Self.allCases[number] != .unknown else { return nil }
    self = Self.allCases[number]
  }
}

/// An artist's name as a tag writes it, with the artist whom it names.
public struct ArtistName: Codable, Hashable, Sendable {
  /// The name as the tag writes it.
  public var name: String
  /// The artist; nil if the catalogue has none of the name.
  public var id: ArtistID? = nil
}

/// A person's part in a track or an album.
public struct Credit: Codable, Hashable, Sendable {
  /// The kind of part.
  public var role: CreditRole
  /// The name as the tag writes it.
  public var name: String
  /// The page of the person; nil if there is none.
  public var artist: ArtistID? = nil
  /// The instrument or voice of a performer; nil if it is not named.
  public var instrument: String? = nil
}

/// The musical work that a track is a recording of, and the movement.
public struct Work: Codable, Hashable, Sendable {
  /// The title.
  public var title: String
  /// The composer; nil if the tags name nobody.
  public var composer: ArtistName? = nil
  /// The name of the movement.
  public var movement: String? = nil
  /// The number of the movement, from 1.
  public var number: Int? = nil
  /// The number of movements of the work.
  public var total: Int? = nil
}
