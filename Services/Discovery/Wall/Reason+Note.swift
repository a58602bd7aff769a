import Messages
import Model

/// The words about what a person wrote of an album. They come at most once a page, and for an album once a fortnight.
extension Reason {
  /// The age from which a note is shown, in seconds: about half a year.
  static let oldNote = 183 * Ages.day
  /// The time within which the note of an album is shown once.
  static let noteRest = 14 * Ages.day
  /// The length of a year in days.
  private static let yearDays = 365
  /// The days around an anniversary that belong to it.
  private static let aroundDays = 14

  /// Returns the place of the pick whose reason tells of a note: one that was written about some years ago to the day,
  /// or else any old one; nil if there is none.
  ///
  /// - Parameter told: the rows of the albums whose notes were shown lately.
  static func placeOfNote(_ picks: [Pick], _ view: RankedAlbums, told: Set<Int32>) -> Int? {
    let old = picks.indices.filter { place in
      guard picks[place].album >= 0 else { return false }
      let album = view.albums[Int(picks[place].album)]
      return album.notedAt > 0 && view.now - Int64(album.notedAt) >= oldNote && !told.contains(album.number)
    }
    return old.first { years(since: view.albums[Int(picks[$0].album)].notedAt, view.now) != nil } ?? old.first
  }

  /// Adds that a person wrote about the album.
  mutating func tell(notedAt: UInt32, now: Int64) {
    evidence.notedAt = Timestamp(seconds: Int64(notedAt))
    let age =
      switch Self.years(since: notedAt, now) {
      case 1: "a year ago"
      case let years?: "\(years) years ago"
      case nil: "\(Self.length(now - Int64(notedAt))) ago"
      }
    sentence += " \(age.prefix(1).uppercased() + age.dropFirst()) you wrote about it."
  }

  /// Returns the number of years since a note, if it is about a whole number of them.
  private static func years(since notedAt: UInt32, _ now: Int64) -> Int? {
    let days = Int((now - Int64(notedAt)) / Ages.day)
    let years = (days + aroundDays) / yearDays
    return years >= 1 && now - Int64(notedAt) <= Ages.longest && abs(days - years * yearDays) <= aroundDays
      ? years : nil
  }
}
