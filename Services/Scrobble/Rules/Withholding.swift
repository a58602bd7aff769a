import Messages
import Model
import Text

/// Decides which listens that count are kept from all services. Pure.
struct Withholding: Hashable, Sendable {
  /// A time in which listening is private.
  struct PrivateTime: Hashable, Sendable {
    var began: Timestamp
    var ended: Timestamp
  }

  /// What a listen or a room's current item is compared by.
  struct Occasion: Sendable {
    var track: Track
    var room: RoomName
    /// From its start until enough was heard, or until now.
    var began: Timestamp
    var ended: Timestamp
    /// What the clock says; nil where it is of no interest.
    var now: Timestamp?
  }

  /// So long ago something is what is heard now, where the clock says nothing of it.
  static let present = Milliseconds(600_000)

  /// The words for what was heard in a private time.
  static let privately = "private"

  var filters: [Scrobble.Filter] = []
  var privateTimes: [PrivateTime] = []

  /// Why something is kept back: `private`, or the filter as `artist: Ada`; nil where it is not.
  func reason(_ occasion: Occasion) -> String? {
    // A listen that reaches into a private time is private as a whole: half a secret is none.
    if privateTimes.contains(where: { $0.began <= occasion.ended && occasion.began < $0.ended }) {
      return Self.privately
    }
    // One that begins in the future began before the clock was set back, and goes on.
    if let now = occasion.now, now - occasion.ended < Self.present,
      privateTimes.contains(where: { $0.began > now && $0.ended > $0.began })
    {
      return Self.privately
    }
    return filters.first { Self.matches($0, occasion) }.map { "\($0.kind): \($0.value)" }
  }

  /// The kinds of filters there are.
  enum Kind: String, CaseIterable {
    case source, section, room, artist, genre
  }

  private static func matches(_ filter: Scrobble.Filter, _ occasion: Occasion) -> Bool {
    let (track, value) = (occasion.track, filter.value.folded)
    let found: [String]
    switch Kind(rawValue: filter.kind) {
    case .source: found = [track.id.source]
    case .section: found = track.section.map { [$0] } ?? []
    case .room: found = [occasion.room.rawValue]
    case .artist: found = [track.artist, track.albumArtist]
    case .genre: found = track.genres
    case nil: found = []
    }
    return found.contains { $0.folded == value }
  }
}
