/// A date of which the day, or the day and the month, may be unknown: `1999`, `1999-05` or `1999-05-01`.
///
/// Dates are ordered by year, month and day; of dates that agree the less precise one comes first.
public struct PartialDate: Hashable, Comparable, Sendable {
  /// The year, 1 to 9999.
  public let year: Int
  /// The month, 1 to 12.
  public let month: Int?
  /// The day of the month; nil if the month is.
  public let day: Int?

  /// Creates a date of the parts that are valid: a month that does not exist leaves the year, a day that the month does
  /// not have leaves the month. Returns nil for a year outside of 1 to 9999.
  public init?(year: Int, month: Int? = nil, day: Int? = nil) {
    guard (1...9999).contains(year) else { return nil }
    self.year = year
    guard let month, (1...12).contains(month) else {
      self.month = nil
      self.day = nil
      return
    }
    self.month = month
    self.day = day.flatMap { (1...Self.days(of: month, in: year)).contains($0) ? $0 : nil }
  }

  private static func days(of month: Int, in year: Int) -> Int {
    switch month {
    case 2: year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400)) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  /// The number of parts that are known, 1 to 3.
  public var precision: Int { day != nil ? 3 : month != nil ? 2 : 1 }

  /// Orders by year, month and day.
  public static func < (left: PartialDate, right: PartialDate) -> Bool {
    (left.year, left.month ?? 0, left.day ?? 0) < (right.year, right.month ?? 0, right.day ?? 0)
  }
}

extension PartialDate: TextCodable {
  public var description: String {
    func padded(_ number: Int, _ count: Int) -> String {
      String(repeating: "0", count: max(0, count - "\(number)".count)) + "\(number)"
    }
    return ([padded(year, 4)] + [month, day].compactMap { $0.map { padded($0, 2) } }).joined(separator: "-")
  }

  /// Reads `YYYY`, `YYYY-MM` or `YYYY-MM-DD`.
  public init?(_ text: String) {
    let parts = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    let numbers = parts.compactMap { part in
      part.allSatisfy { (48...57).contains($0) } ? Int(Substring(part)) : nil
    }
    guard (1...3).contains(parts.count), numbers.count == parts.count, parts[0].count == 4,
      parts.dropFirst().allSatisfy({ $0.count == 2 }),
      let date = PartialDate(
        year: numbers[0], month: numbers.count > 1 ? numbers[1] : nil, day: numbers.count > 2 ? numbers[2] : nil),
      date.precision == numbers.count
    else { return nil }
    self = date
  }
}

/// A type of release, in the words of MusicBrainz. An album may have several, such as a live compilation.
public enum ReleaseType: String, TolerantName {
  case album
  case ep
  case single
  case live
  case compilation
  case soundtrack
  case remix
  case demo
  case mixtape
  case djMix = "dj-mix"
  case interview
  case spokenWord = "spokenword"
  case audiobook
  case broadcast
  case other
  case unknown
}

/// The release of an album as its tags describe it, beside names and dates.
public struct AlbumFacts: Codable, Hashable, Sendable {
  /// The record labels.
  public var labels: [String] = []
  /// The catalogue numbers of the labels.
  public var catalogueNumbers: [String] = []
  /// The country of release, as the tags write it: mostly two letters of ISO 3166.
  public var country: String? = nil
  /// The medium, such as `CD` or `12" Vinyl`.
  public var media: String? = nil
  /// The digits of the barcode.
  public var barcode: String? = nil
  /// The status of the release, such as `official` or `bootleg`, in lower case.
  public var status: String? = nil

  /// True if nothing is known.
  public var isEmpty: Bool { self == AlbumFacts() }

  /// Takes over what is missing from the facts of another copy.
  public mutating func fill(from other: AlbumFacts) {
    if labels.isEmpty { labels = other.labels }
    if catalogueNumbers.isEmpty { catalogueNumbers = other.catalogueNumbers }
    country = country ?? other.country
    media = media ?? other.media
    barcode = barcode ?? other.barcode
    status = status ?? other.status
  }
}

/// One disc of an album.
public struct AlbumDisc: Codable, Hashable, Sendable {
  /// The number of the disc, from 1.
  public var disc: Int
  /// The subtitle of the disc; nil if it has none.
  public var title: String? = nil
  /// The medium of the disc, such as `CD` or `12" Vinyl`; nil if unknown.
  public var media: String? = nil
  /// The number of tracks that the tags promise; nil if they do not.
  public var total: Int? = nil
  /// The numbers of the tracks that the catalogue lacks. Empty where fewer than half are there, as for a few chosen
  /// tracks of an album.
  public var missing: [Int] = []
  /// True if the catalogue has no track of the disc, but tracks of at least half of the discs; else nil.
  public var isAbsent: Bool? = nil
}
