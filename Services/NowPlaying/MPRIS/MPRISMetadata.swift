import Model

/// The metadata of a track in MPRIS (`Metadata_Map`; the `xesam` fields follow the Xesam ontology).
enum MPRISMetadata {
  /// The data of a track that its queue item does not contain.
  struct Extras: Equatable, Sendable {
    /// The `file:` URL of its cover.
    var cover: String?
    var details: TrackDetails?
    /// The id of this host: `xesam:url` is given only for files of this host.
    var host: String?
  }

  /// Returns the fields of an item. Without an item the only field is `mpris:trackid`, which says that there is no
  /// track.
  static func fields(of item: QueueItem?, length: Milliseconds?, extras: Extras = Extras()) -> [DBusEntry] {
    guard let item else { return [DBusEntry(key: "mpris:trackid", value: .objectPath(TrackPath.none))] }
    let (track, details) = (item.track, extras.details)
    var fields: [DBusEntry] = []
    func add(_ key: String, _ value: DBusValue) { fields.append(DBusEntry(key: key, value: value)) }
    func add(_ key: String, text: String?) {
      if let text, !text.isEmpty { add(key, .string(text.dbusText)) }
    }
    func add(_ key: String, texts: [String]) {
      let texts = texts.filter { !$0.isEmpty }
      if !texts.isEmpty { add(key, .strings(texts.map(\.dbusText))) }
    }
    func add(_ key: String, number: Int?) {
      if let number = number.flatMap({ Int32(exactly: $0) }) { add(key, .int32(number)) }
    }
    add("mpris:trackid", .objectPath(TrackPath.of(item.entry)))
    if let length, length > .zero { add("mpris:length", .int64(length.microseconds)) }
    add("mpris:artUrl", text: extras.cover)
    add("xesam:title", text: track.title)
    add("xesam:album", text: track.album)
    add("xesam:artist", texts: [track.artist])
    add("xesam:albumArtist", texts: [track.albumArtist])
    add("xesam:genre", texts: track.genres.isEmpty ? details?.genres ?? [] : track.genres)
    add("xesam:trackNumber", number: track.number)
    add("xesam:discNumber", number: track.disc)
    add("xesam:useCount", number: details?.uses)
    add("xesam:lastUsed", text: details?.lastUsed?.description)
    if let rating = details.map(\.rating) ?? track.rating {
      add("xesam:userRating", .double(Double(rating.rawValue) / 10))
    }
    add("xesam:url", text: url(of: item, on: extras.host))
    return fields
  }

  /// Returns the `file:` URL of an item's audio if it is a file of this host. The URLs of servers are left out: they
  /// may contain secrets, and every program of the desktop can read the metadata.
  private static func url(of item: QueueItem, on host: String?) -> String? {
    guard let path = item.path, let host, item.host == host else { return nil }
    return path.url
  }
}

/// A track with its rating in the queue. After a person has rated it, its details are read again.
struct RatedTrack: Hashable, Sendable {
  var id: TrackID
  var rating: Rating?

  init(_ track: Track) {
    id = track.id
    rating = track.rating
  }
}

/// The details of a track that only the library knows, or knows better.
struct TrackDetails: Hashable, Sendable {
  var genres: [String] = []
  /// The number of plays that counted as heard.
  var uses: Int?
  /// The time when it was last heard.
  var lastUsed: Timestamp?
  /// The rating, which may have changed at its server since the track was queued.
  var rating: Rating?
}

extension Milliseconds {
  /// The length in microseconds, the unit of D-Bus, limited to the range of `Int64`.
  var microseconds: Int64 {
    let (product, overflow) = rawValue.multipliedReportingOverflow(by: 1000)
    return overflow ? (rawValue < 0 ? .min : .max) : product
  }

  /// Creates a length from microseconds, the unit of D-Bus, rounded towards zero.
  init(microseconds: Int64) { self.init(microseconds / 1000) }
}

/// The D-Bus object path that names a queue entry in `mpris:trackid`.
enum TrackPath {
  /// The path for “no track” (MPRIS, `Track_Id`).
  static let none = "/org/mpris/MediaPlayer2/TrackList/NoTrack"

  /// Returns the path of an entry. Different entries have different paths: every byte that a path cannot contain, and
  /// `_` itself, is written as `_` and two hex digits.
  static func of(_ entry: EntryID) -> String {
    let hex = Array("0123456789abcdef".utf8)
    var path = Array("/org/lunara/entry/".utf8)
    for byte in entry.rawValue.utf8 {
      switch byte {
      case 48...57, 65...90, 97...122: path.append(byte)
      default: path += [UInt8(ascii: "_"), hex[Int(byte >> 4)], hex[Int(byte & 15)]]
      }
    }
    if entry.rawValue.isEmpty { path.append(UInt8(ascii: "_")) }
    return String(decoding: path, as: UTF8.self)
  }
}
