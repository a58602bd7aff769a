import Model
import MusicTags
import Text

/// Groups the files of one folder into albums. A pure function of the folder's files.
///
/// Files are grouped by album and album artist. Without an album artist, an album of one artist gets that artist, and
/// an album of several becomes a compilation. Such a compilation is merged with one in another folder only if its tags
/// mark it as one. Without an album, the folder's name is the title.
struct AlbumGrouping {
  /// An album as one folder shows it.
  @dynamicMemberLookup struct Album: Equatable {
    var record: ServerAlbum
    /// The album artists one by one; "Various Artists" where there are many.
    var artists: [TaggedArtist]
    /// The indexes of its files in the array that was grouped.
    var members: [Int]
    /// The names by which it is merged with albums of other folders and servers.
    var mergeKey: String
    /// The places of files that are numbered by the sides of a record.
    var sides: [Int: VinylSides.Place] = [:]

    /// The key of its row, which is its own: the folder, and the merge key.
    var key: String { record.native }
    subscript<Value>(dynamicMember value: KeyPath<ServerAlbum, Value>) -> Value { record[keyPath: value] }
  }

  private struct Name: Hashable {
    var title: String
    var artist: String
  }

  /// The merge keys that begin with this are of one folder only.
  static let folderKeyPrefix = "folder|"

  private let folder: [UInt8]
  private let files: [FileMetadata]

  /// Returns the albums of a folder. `folder` is the album's folder, above any folders of single discs.
  static func albums(of files: [FileMetadata], in folder: [UInt8]) -> [Album] {
    AlbumGrouping(folder: folder, files: files).albums()
  }

  /// Returns the album's folder: the parent of `folder` if that is a disc's folder, else `folder` itself.
  static func albumFolder(of folder: [UInt8]) -> [UInt8] {
    guard FileName.discNumber(ofFolder: FilePath.name(folder)) != nil else { return folder }
    return FilePath.parent(folder) ?? folder
  }

  private func albums() -> [Album] {
    var order: [Name] = []
    var buckets: [Name: [Int]] = [:]
    var folded: [String: String] = [:]
    func fold(_ text: String?) -> String {
      guard let text else { return "" }
      let key = folded[text] ?? text.caseFolded
      folded[text] = key
      return key
    }
    for (index, file) in files.enumerated() {
      let name = Name(title: fold(file.tags.albumName.title), artist: fold(file.albumArtist))
      if buckets[name] == nil { order.append(name) }
      buckets[name, default: []].append(index)
    }
    // A file without an album artist belongs to the album of that title whose files have one, if there is only one.
    for name in order where name.artist.isEmpty && !name.title.isEmpty {
      let owners = order.filter { $0.title == name.title && !$0.artist.isEmpty }
      guard owners.count == 1, let strays = buckets.removeValue(forKey: name) else { continue }
      buckets[owners[0]] = (buckets[owners[0], default: []] + strays).sorted()
    }
    return order.flatMap { name in
      let releases = buckets[name].map(releases) ?? []
      return releases.flatMap { release in
        let copies = formats(release)
        return copies.map { members in
          let tags = files[members[0]].tags
          let marks = [
            releases.count > 1 ? tags.albumName.releaseID : nil,
            copies.count > 1 ? tags.audio.properties.summary : nil,
          ]
          return album(members, marks: marks.compactMap(\.self), fold)
        }
      }
    }
  }

  /// Splits files of one album name into releases: by MusicBrainz release, or by year if two files have the same disc
  /// and track number.
  private func releases(_ members: [Int]) -> [[Int]] {
    let releases = parts(members) { $0.tags.albumName.releaseID }
    if releases.count > 1 { return releases }
    let years = parts(members) { $0.tags.dates.edition?.year }
    return years.count > 1 && isCrowded(members) ? years : [members]
  }

  /// Splits files of one release into copies where a folder holds it in several formats: by codec, or by the properties
  /// of the audio, if that leaves no two files with the same place.
  private func formats(_ members: [Int]) -> [[Int]] {
    guard isCrowded(members) else { return [members] }
    let codecs = parts(members) { $0.tags.audio.properties.codec }
    if codecs.count > 1, !codecs.contains(where: isCrowded) { return codecs }
    let qualities = parts(members) { file in
      var audio = file.tags.audio.properties
      audio.bitRate = nil
      return audio
    }
    return qualities.count > 1 && !qualities.contains(where: isCrowded) ? qualities : [members]
  }

  /// Returns true if two files have the same disc and number, or the same title without a number.
  private func isCrowded(_ members: [Int]) -> Bool {
    let places = members.map {
      TrackPairing.Place(
        disc: files[$0].disc, number: files[$0].number, title: files[$0].number == nil ? files[$0].title : "")
    }
    return Set(places).count < places.count
  }

  /// Splits files by a value of their tags; those without one belong to the first value.
  private func parts<Value: Hashable>(_ members: [Int], by value: (FileMetadata) -> Value?) -> [[Int]] {
    var order: [Value] = []
    var parts: [Value: [Int]] = [:]
    for index in members {
      guard let key = value(files[index]) ?? order.first else { continue }
      if parts[key] == nil { order.append(key) }
      parts[key, default: []].append(index)
    }
    // Files without a value that come before the first value belong to that value, too.
    let silent = members.prefix { value(files[$0]) == nil }
    if let first = order.first { parts[first] = silent + (parts[first] ?? []) }
    return order.compactMap { parts[$0] }
  }

  /// - Parameter marks: what distinguishes the album from others of its name in the folder.
  private func album(_ members: [Int], marks: [String], _ fold: (String?) -> String) -> Album {
    func first<Value>(_ value: @escaping (FileMetadata) -> Value?) -> Value? {
      members.lazy.compactMap { value(files[$0]) }.first
    }
    let named = first { $0.tags.albumName.title }
    let title = named ?? String(decoding: FilePath.name(folder), as: UTF8.self).trimmed.normalised
    let year = commonYear(members)
    var artist = first { $0.albumArtist }
    var sort = first { $0.albumArtistSort }
    var artists = first { $0.albumArtist == nil ? nil : $0.albumArtists } ?? []
    var belongsToFolder = named == nil
    if artist == nil {
      let names = Set(members.map { fold(files[$0].firstArtist) }).subtracting([""])
      let isMarked = members.contains { files[$0].tags.albumName.isCompilation }
      if names.count > 1 || isMarked {
        artist = VariousArtists.name
        belongsToFolder = belongsToFolder || !isMarked
      } else if let only = first({ $0.firstArtist }) {
        artist = only
        artists = first { $0.firstArtist == nil ? nil : $0.firstArtists } ?? []
        sort = sort ?? first { $0.firstArtist == $0.artist ? $0.artistSort : nil }
      } else {
        belongsToFolder = true
      }
    }
    let name = artist ?? VariousArtists.unknown
    let shown = title.isEmpty ? VariousArtists.unknownAlbum : title
    let key =
      belongsToFolder
      ? "\(Self.folderKeyPrefix)\(LocalPath(bytes: folder).url)|\(fold(named))|\(fold(first { $0.albumArtist }))"
      : "\(fold(name))|\(fold(shown))|\(year.map(String.init) ?? "")"
    let record = ServerAlbum(
      native: rowKey(key, marks), title: shown, titleSort: SortKey.of(first { $0.tags.albumName.sort } ?? shown),
      artist: name, artistSort: SortKey.of(sort ?? name), year: year)
    return Album(
      record: record, artists: artists.isEmpty ? [TaggedArtist(name: name)] : artists, members: members, mergeKey: key,
      sides: sides(members))
  }

  private func sides(_ members: [Int]) -> [Int: VinylSides.Place] {
    VinylSides.places(
      of: members.compactMap { index in
        let place = files[index].tags.place
        guard place.number == nil, let text = place.numberText else { return nil }
        return VinylSides.Track(index: index, text: text, disc: place.disc)
      })
  }

  private func rowKey(_ mergeKey: String, _ marks: [String]) -> String {
    let folder = Hexadecimal.text(UInt64(bitPattern: contentHash(of: folder)))
    return ([folder, mergeKey] + marks).joined(separator: "|")
  }

  /// Returns the year of most files, and the latest of equally frequent ones: no release is older than its tracks.
  private func commonYear(_ members: [Int]) -> Int? {
    var counts: [Int: Int] = [:]
    for index in members { if let year = files[index].tags.dates.edition?.year { counts[year, default: 0] += 1 } }
    return counts.max { ($0.value, $0.key) < ($1.value, $1.key) }?.key
  }
}
