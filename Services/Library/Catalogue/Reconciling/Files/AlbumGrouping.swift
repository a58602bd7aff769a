import Model
import MusicTags
import Records
import Text

/// Groups the files of one folder into albums. A pure function of the folder's files.
///
/// Files are grouped by album and album artist, whatever their spelling, and are one album as long as no two have the
/// same place (disc and number): a stray release id or year makes no album of its own. Without an album artist, an
/// album of one artist gets that artist, and an album of several becomes a compilation. Such a compilation is merged
/// with one in another folder only if its tags mark it as one. Without an album, the folder's name is the title.
package struct AlbumGrouping {
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

  private struct Group {
    var name: Name
    var members: [Int]
  }

  /// Folds the names by which files are grouped, each once for a folder.
  private struct Folding {
    private var keys: [String: String] = [:]
    private var known: [String: String] = [:]

    /// Returns the key of a name; names with the same key differ in case or in their normal form only.
    mutating func key(_ name: String?) -> String {
      guard let name else { return "" }
      if let key = keys[name] { return key }
      let key = name.caseFolded
      keys[name] = key
      return key
    }

    /// Returns a key without blanks, marks, width and punctuation; a key of nothing else keeps its
    /// punctuation.
    mutating func folded(_ key: String) -> String {
      if let found = known[key] { return found }
      let letters = key.matchingForm
      let folded = letters.isEmpty ? key.folded : letters
      known[key] = folded
      return folded
    }
  }

  /// The merge keys that begin with this are of one folder only.
  package static let folderKeyPrefix = "folder|"

  private let folder: [UInt8]
  private let files: [FileMetadata]

  /// Returns the albums of a folder. `folder` is the album's folder, above any folders of single discs.
  static func albums(of files: [FileMetadata], in folder: [UInt8]) -> [Album] {
    AlbumGrouping(folder: folder, files: files).albums()
  }

  /// Returns the album's folder: the parent of the folder of a disc, the folder `Album` beside `Album Disc 2`, which
  /// need not exist, else `folder` itself.
  static func albumFolder(of folder: [UInt8]) -> [UInt8] {
    guard let disc = FileName.disc(ofFolder: FilePath.name(folder)), let parent = FilePath.parent(folder) else {
      return folder
    }
    let isParent = disc.album.isEmpty || FilePath.name(parent) == disc.album
    return isParent ? parent : FilePath.range(below: parent).first + disc.album
  }

  /// Returns the folder to show for an album one of whose files is in `folder`: the album's, if it is above.
  static func shownFolder(of folder: [UInt8]) -> [UInt8] {
    let album = albumFolder(of: folder)
    return FilePath.isWithin(folder, album) ? album : folder
  }

  private func albums() -> [Album] {
    var folding = Folding()
    var order: [Name] = []
    var buckets: [Name: [Int]] = [:]
    for (index, file) in files.enumerated() {
      let name = Name(title: folding.key(file.tags.albumName.title), artist: folding.key(file.albumArtist))
      if buckets[name] == nil { order.append(name) }
      buckets[name, default: []].append(index)
    }
    var groups = order.map { Group(name: $0, members: buckets[$0] ?? []) }
    if groups.count > 1 { groups = joined(groups, &folding) }
    return groups.flatMap { group in
      copies(group.members).map { album($0.members, marks: $0.marks, &folding) }
    }
  }

  /// Joins the files of names that are spelled in different ways, such as `Wait...` and `Wait…`, where no place is
  /// taken twice. Files without an album artist join the album of their title, if only one has an artist.
  private func joined(_ groups: [Group], _ folding: inout Folding) -> [Group] {
    var joined: [Group] = []
    var spelled: [Name: [Int]] = [:]
    for group in groups {
      let name = Name(title: folding.folded(group.name.title), artist: folding.folded(group.name.artist))
      let places = Set(group.members.map(place))
      if let same = spelled[name]?.first(where: { places.isDisjoint(with: joined[$0].members.map(place)) }) {
        joined[same].members = (joined[same].members + group.members).sorted()
      } else {
        spelled[name, default: []].append(joined.count)
        joined.append(Group(name: name, members: group.members))
      }
    }
    let owners = Dictionary(grouping: joined.indices.filter { !joined[$0].name.artist.isEmpty }) {
      joined[$0].name.title
    }
    var strays: Set<Int> = []
    for index in joined.indices where joined[index].name.artist.isEmpty && !joined[index].name.title.isEmpty {
      guard let found = owners[joined[index].name.title], found.count == 1 else { continue }
      joined[found[0]].members = (joined[found[0]].members + joined[index].members).sorted()
      strays.insert(index)
    }
    return joined.indices.filter { !strays.contains($0) }.map { joined[$0] }
  }

  /// Splits files of one album name where a place is taken twice: by MusicBrainz release, year, codec or the properties
  /// of the audio, the first of these that leaves no two files with the same place. Where none does, releases (or
  /// years) are split, and then their formats. Returns the parts with their distinguishing marks.
  private func copies(_ members: [Int]) -> [(members: [Int], marks: [String])] {
    guard isCrowded(members) else { return [(members, [])] }
    let releases = releases(members)
    if releases.count > 1, !releases.contains(where: isCrowded) { return releases.map { ($0, release($0)) } }
    if let formats = formats(members) { return formats.map { ($0, quality($0)) } }
    return releases.flatMap { part in
      let mark = releases.count > 1 ? release(part) : []
      return formats(part)?.map { ($0, mark + quality($0)) } ?? [(part, mark)]
    }
  }

  private func releases(_ members: [Int]) -> [[Int]] {
    let releases = parts(members) { $0.tags.albumName.releaseID }
    if releases.count > 1 { return releases }
    let years = parts(members) { $0.tags.dates.edition?.year }
    return years.isEmpty ? [members] : years
  }

  /// Returns the formats in which a folder holds a release; nil if they do not tell its files apart.
  private func formats(_ members: [Int]) -> [[Int]]? {
    guard isCrowded(members) else { return nil }
    let codecs = parts(members) { $0.tags.audio.properties.codec }
    if codecs.count > 1, !codecs.contains(where: isCrowded) { return codecs }
    let qualities = parts(members) { file in
      var audio = file.tags.audio.properties
      audio.bitRate = nil
      return audio
    }
    return qualities.count > 1 && !qualities.contains(where: isCrowded) ? qualities : nil
  }

  private func release(_ members: [Int]) -> [String] { [files[members[0]].tags.albumName.releaseID].compactMap(\.self) }

  private func quality(_ members: [Int]) -> [String] {
    [files[members[0]].tags.audio.properties.summary].compactMap(\.self)
  }

  /// The place of a file: its disc and number, or its title without a number.
  private func place(_ index: Int) -> TrackPairing.Place {
    let file = files[index]
    return TrackPairing.Place(disc: file.disc, number: file.number, title: file.number == nil ? file.title : "")
  }

  /// Returns true if two files have the same place.
  private func isCrowded(_ members: [Int]) -> Bool { Set(members.map(place)).count < members.count }

  /// Splits files by a value of their tags; those without one belong to the first value. Values whose files take no
  /// place twice stay one part, as a stray value in some files tells no albums apart; the largest part comes first.
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
    var joined: [(members: [Int], places: Set<TrackPairing.Place>)] = []
    for part in order.compactMap({ parts[$0] }).sorted(by: { ($1.count, $0[0]) < ($0.count, $1[0]) }) {
      let places = Set(part.map(place))
      if let fitting = joined.firstIndex(where: { $0.places.isDisjoint(with: places) }) {
        joined[fitting].members += part
        joined[fitting].places.formUnion(places)
      } else {
        joined.append((part, places))
      }
    }
    return joined.map { $0.members.sorted() }.sorted { $0[0] < $1[0] }
  }

  /// - Parameter marks: what distinguishes the album from others of its name in the folder.
  private func album(_ members: [Int], marks: [String], _ folding: inout Folding) -> Album {
    func first<Value>(_ value: @escaping (FileMetadata) -> Value?) -> Value? {
      members.lazy.compactMap { value(files[$0]) }.first
    }
    let named = common(members) { $0.tags.albumName.title }.flatMap { files[$0].tags.albumName.title }
    let title = named ?? String(decoding: FilePath.name(folder), as: UTF8.self).trimmed.normalised
    let year = commonYear(members)
    let owner = common(members) { $0.albumArtist }.map { files[$0] }
    var artist = owner?.albumArtist
    var artists = owner?.albumArtists ?? []
    var sort = first { $0.albumArtistSort }
    var belongsToFolder = named == nil
    if artist == nil {
      let names = Set(members.map { folding.key(files[$0].firstArtist) }).subtracting([""])
      let isMarked = members.contains { files[$0].tags.albumName.isCompilation }
      if names.count > 1 && Set(names.map { folding.folded($0) }).count > 1 || isMarked {
        artist = VariousArtists.name
        belongsToFolder = belongsToFolder || !isMarked
      } else if let index = common(members, { $0.firstArtist }) {
        artist = files[index].firstArtist
        artists = files[index].firstArtists
        sort = sort ?? first { $0.firstArtist == $0.artist ? $0.artistSort : nil }
      } else {
        belongsToFolder = true
      }
    }
    let name = artist ?? VariousArtists.unknown
    let shown = title.isEmpty ? VariousArtists.unknownAlbum : title
    let names = (
      title: folding.key(named), owner: folding.key(owner?.albumArtist), artist: folding.key(name),
      shown: folding.key(shown)
    )
    let key =
      belongsToFolder
      ? "\(Self.folderKeyPrefix)\(LocalPath(bytes: folder).url)|\(names.title)|\(names.owner)"
      : "\(names.artist)|\(names.shown)|\(year.map(String.init) ?? "")"
    let record = ServerAlbum(
      native: rowKey(key, marks), title: shown, titleSort: SortKey.of(first { $0.tags.albumName.sort } ?? shown),
      artist: name, artistSort: SortKey.of(sort ?? name), year: year)
    return Album(
      record: record, artists: artists.isEmpty ? [TaggedArtist(name: name)] : artists, members: members, mergeKey: key,
      sides: sides(members))
  }

  /// Returns the first file whose name has the spelling of most files; nil if no file has a name.
  private func common(_ members: [Int], _ name: (FileMetadata) -> String?) -> Int? {
    guard let first = members.first(where: { name(files[$0]) != nil }) else { return nil }
    let named = name(files[first])
    guard members.contains(where: { name(files[$0]) != named }) else { return first }
    var counts: [String: Int] = [:]
    for index in members { if let text = name(files[index]) { counts[text, default: 0] += 1 } }
    let most = counts.values.max()
    return members.first { name(files[$0]).map { counts[$0] == most } ?? false }
  }

  private func sides(_ members: [Int]) -> [Int: VinylSides.Place] {
    VinylSides.places(
      of: members.compactMap { index in
        let place = files[index].tags.place
        guard place.number == nil, let text = place.numberText else { return nil }
        return VinylSides.Track(index: index, text: text, disc: place.disc)
      }, hasNumbers: members.contains { files[$0].tags.place.number != nil })
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
