import Model

/// What MPRIS tells of the current track (`Metadata_Map`; the `xesam` fields follow the Xesam ontology).
enum Metadata {
  /// The fields of an item; `art` is a `file:` URL. A nil item gives the one field that says there is no track.
  static func fields(of item: QueueItem?, length: Milliseconds?, art: String?) -> [DBusEntry] {
    guard let item else { return [DBusEntry(key: "mpris:trackid", value: .objectPath(TrackPath.none))] }
    let track = item.track
    var fields: [DBusEntry] = []
    func add(_ key: String, _ value: DBusValue) { fields.append(DBusEntry(key: key, value: value)) }
    func add(_ key: String, text: String) { if !text.isEmpty { add(key, .string(text.dbusText)) } }
    func add(_ key: String, texts: [String]) {
      let texts = texts.filter { !$0.isEmpty }
      if !texts.isEmpty { add(key, .strings(texts.map(\.dbusText))) }
    }
    add("mpris:trackid", .objectPath(TrackPath.of(item.entry)))
    if let length, length > .zero { add("mpris:length", .int64(length.microseconds)) }
    if let art { add("mpris:artUrl", text: art) }
    add("xesam:title", text: track.title)
    add("xesam:album", text: track.album)
    add("xesam:artist", texts: [track.artist])
    add("xesam:albumArtist", texts: [track.albumArtist])
    add("xesam:genre", texts: track.genres)
    if let number = track.number.flatMap({ Int32(exactly: $0) }) { add("xesam:trackNumber", .int32(number)) }
    if let disc = Int32(exactly: track.disc) { add("xesam:discNumber", .int32(disc)) }
    return fields
  }
}

extension Milliseconds {
  /// The same length in the unit of D-Bus, held within its range.
  var microseconds: Int64 {
    let (product, overflow) = rawValue.multipliedReportingOverflow(by: 1000)
    return overflow ? (rawValue < 0 ? .min : .max) : product
  }

  /// A length in the unit of D-Bus, rounded towards zero.
  init(microseconds: Int64) { self.init(microseconds / 1000) }
}
