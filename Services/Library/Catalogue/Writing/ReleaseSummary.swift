import Model
import MusicTags
import Records
import Text

/// The release tags of an album, made from those of its tracks in their order.
struct ReleaseSummary: Equatable {
  private static let mostValues = 16
  private static let longestText = 200

  private var dates: [PartialDate: Int] = [:]
  private var originalDates: [PartialDate: Int] = [:]
  private var editions: [String: Int] = [:]
  private var types: [ReleaseType] = []
  private var isCompilation = false
  private var releaseIDs: [String: Int] = [:]
  private var releaseGroupIDs: [String: Int] = [:]
  private var labels: [String] = []
  private var catalogueNumbers: [String] = []
  private var countries: [String: Int] = [:]
  private var media: [String: Int] = [:]
  private var barcodes: [String: Int] = [:]
  private var statuses: [String: Int] = [:]
  private var discs: [Int: AlbumDisc] = [:]
  private var discTotal = 1

  /// Adds a track on a disc.
  mutating func add(_ tags: FileTags, disc: Int) {
    let name = tags.albumName
    Self.count(tags.dates.edition, &dates)
    Self.count(tags.dates.originalRelease, &originalDates)
    Self.count(name.edition, &editions)
    Self.count(name.releaseGroupID, &releaseGroupIDs)
    Self.count(name.country, &countries)
    Self.count(name.media, &media)
    Self.count(name.barcode, &barcodes)
    Self.count(name.status?.caseFolded, &statuses)
    Self.count(name.releaseID, &releaseIDs)
    Self.collect(name.labels, &labels)
    Self.collect(name.catalogueNumbers, &catalogueNumbers)
    for type in name.types.flatMap(ReleaseType.types(tag:)) where !types.contains(type) { types.append(type) }
    isCompilation = isCompilation || name.isCompilation
    var described = discs[disc] ?? AlbumDisc(disc: disc)
    described.title = described.title ?? tags.place.discTitle.map { String($0.prefix(Self.longestText)) }
    described.media = described.media ?? name.media
    described.total = [described.total, tags.place.total].compactMap(\.self).max()
    discs[disc] = described
    discTotal = max(discTotal, tags.place.discTotal ?? 1)
  }

  private static func count<Value>(_ value: Value?, _ counts: inout [Value: Int]) {
    if let value { counts[value, default: 0] += 1 }
  }

  private static func collect(_ values: [String], _ list: inout [String]) {
    for value in values.flatMap({ $0.split(separator: ";") }).map({ String($0).trimmed }) where !value.isEmpty {
      guard list.count < mostValues, !list.contains(where: { $0.caseFolded == value.caseFolded }) else { continue }
      list.append(String(value.prefix(longestText)))
    }
  }

  var tags: ReleaseTags {
    let date = Self.commonDate(dates)
    let original = Self.commonDate(originalDates)
    return ReleaseTags(
      date: date, originalDate: original == date ? nil : original, edition: Self.common(editions),
      types: types.isEmpty && isCompilation ? [.compilation] : types, releaseGroupID: Self.common(releaseGroupIDs))
  }

  /// The MusicBrainz release of more than half of the tracks that have one; nil if there is none.
  var releaseID: String? {
    let tracks = releaseIDs.values.reduce(0, +)
    return releaseIDs.first { $0.value * 2 > tracks }?.key
  }

  var details: AlbumDetails {
    let discs = discs.values.sorted { $0.disc < $1.disc }.compactMap { disc in
      var disc = disc
      // The medium of all discs is that of the album.
      if media.count < 2 { disc.media = nil }
      return disc.title == nil && disc.media == nil && disc.total == nil ? nil : disc
    }
    return AlbumDetails(
      facts: AlbumFacts(
        labels: labels, catalogueNumbers: catalogueNumbers, country: Self.common(countries), media: Self.common(media),
        barcode: Self.common(barcodes), status: Self.common(statuses)), discs: discs,
      discTotal: discTotal > 1 ? discTotal : nil)
  }

  /// Returns the most frequent value, and the largest of equally frequent ones.
  private static func common<Value: Comparable>(_ counts: [Value: Int]) -> Value? {
    counts.max { ($0.value, $0.key) < ($1.value, $1.key) }?.key
  }

  /// Returns the most frequent date of the most frequent year, and the more precise of equally frequent ones.
  private static func commonDate(_ counts: [PartialDate: Int]) -> PartialDate? {
    guard let year = common(Dictionary(counts.map { ($0.key.year, $0.value) }, uniquingKeysWith: +)) else { return nil }
    return counts.filter { $0.key.year == year }.max {
      ($0.value, $0.key.precision, $0.key) < ($1.value, $1.key.precision, $1.key)
    }?.key
  }
}

extension ReleaseType {
  private static let otherNames: [String: ReleaseType] = [
    "mixtape/street": .mixtape, "spoken word": .spokenWord, "dj mix": .djMix, "audio book": .audiobook, "lp": .album,
    "comp": .compilation, "ost": .soundtrack,
  ]

  /// Returns the types in a value of a tag, which may hold several, apart by `;`, `,` or `/`.
  static func types(tag value: String) -> [ReleaseType] {
    value.split { $0 == ";" || $0 == "," }.flatMap { TagRules.default.slashes.split(String($0)) }
      .map(\.trimmed.caseFolded).filter { !$0.isEmpty }
      .map { name in ReleaseType(word: name) ?? otherNames[name] ?? .other }
  }
}
