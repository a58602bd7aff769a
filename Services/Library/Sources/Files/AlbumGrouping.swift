import Model
import Text

/// Groups the files of one folder into albums. A pure function of the folder's files.
///
/// Files are grouped by album and album artist. Without an album artist, an album of one artist gets that artist, and
/// an album of several becomes a compilation, which is never merged with one in another folder. Without an album, the
/// folder's name is the title.
struct AlbumGrouping {
  /// An album as one folder shows it.
  @dynamicMemberLookup struct Album: Equatable {
    var record: ServerAlbum
    /// The album artists one by one; "Various Artists" where there are many.
    var artists: [TaggedArtist]
    /// The indexes of its files in the array that was grouped.
    var members: [Int]

    /// The merge key: albums in different folders with the same key are one album.
    var key: String { record.native }
    subscript<Value>(dynamicMember value: KeyPath<ServerAlbum, Value>) -> Value { record[keyPath: value] }
  }

  private struct Name: Hashable {
    var title: String
    var artist: String
  }

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
    return order.flatMap { name in buckets[name].map(split) ?? [] }.map { album($0, fold) }
  }

  /// Splits files of one album name into releases: by MusicBrainz release, or by year if two files have the same disc
  /// and track number.
  private func split(_ members: [Int]) -> [[Int]] {
    func parts<Value: Hashable>(_ value: (FileMetadata) -> Value?) -> [[Int]] {
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
    let releases = parts { $0.tags.albumName.releaseID }
    if releases.count > 1 { return releases }
    let years = parts { $0.year }
    guard years.count > 1 else { return [members] }
    let places = members.map { files[$0] }.filter { $0.number != nil }.map { [$0.disc, $0.number ?? 0] }
    return Set(places).count < places.count ? years : [members]
  }

  private func album(_ members: [Int], _ fold: (String?) -> String) -> Album {
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
      if names.count > 1 || members.contains(where: { files[$0].tags.albumName.isCompilation }) {
        artist = VariousArtists.name
        belongsToFolder = true
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
      ? "folder|\(LocalPath(bytes: folder).url)|\(fold(named))|\(fold(first { $0.albumArtist }))"
      : "\(fold(name))|\(fold(shown))|\(year.map(String.init) ?? "")"
    let record = ServerAlbum(
      native: key, title: shown, titleSort: SortKey.of(first { $0.tags.albumName.sort } ?? shown), artist: name,
      artistSort: SortKey.of(sort ?? name), year: year)
    return Album(record: record, artists: artists.isEmpty ? [TaggedArtist(name: name)] : artists, members: members)
  }

  /// Returns the year of most files, and the latest of equally frequent ones: no release is older than its tracks.
  private func commonYear(_ members: [Int]) -> Int? {
    var counts: [Int: Int] = [:]
    for index in members { if let year = files[index].year { counts[year, default: 0] += 1 } }
    return counts.max { ($0.value, $0.key) < ($1.value, $1.key) }?.key
  }
}

/// The names of artists of albums by several artists, or by none that is known.
enum VariousArtists {
  static let name = "Various Artists"
  static let unknown = "Unknown Artist"
  static let unknownAlbum = "Unknown Album"

  private static let spellings: Set<String> = ["various artists", "various", "va", "v.a.", "v/a"]

  /// Returns true if a name stands for many artists.
  static func isMeant(by artist: String) -> Bool {
    guard artist.utf8.first.map({ $0 | 32 == UInt8(ascii: "v") }) == true, artist.utf8.count <= 16 else { return false }
    return spellings.contains(artist.caseFolded)
  }

  /// Returns an artist's name without the featured artists: `Nas feat. Olu Dara` becomes `Nas`.
  static func withoutFeaturedArtists(_ artist: String) -> String {
    let small = Array(artist.caseFolded.utf8)
    // If folding changes lengths, positions in both texts differ; such a name stays as it is.
    guard small.count == artist.utf8.count, small.contains(UInt8(ascii: "f")) else { return artist }
    for word in [" feat. ", " feat ", " ft. ", " ft ", " featuring ", " (feat", " [feat", " (ft.", " (ft "] {
      guard let start = small.dropFirst().firstRange(of: word.utf8)?.lowerBound else { continue }
      return String(decoding: artist.utf8.prefix(start), as: UTF8.self).trimmed
    }
    return artist
  }
}
