import CEmbedded
import Messages
import Model

/// The genres and subcategories, and the spellings of tags that belong to them. They are read from `taxonomy.json`,
/// which says in words how tags are folded and matched.
package struct Taxonomy: Sendable {
  struct Genre: Sendable {
    var id: String
    var name: String
    /// True for the nine genres of the core.
    var isCore: Bool
    /// The indices of its subcategories.
    var subcategories: Range<Int>
  }

  package struct Subcategory: Sendable {
    var id: String
    package var name: String
    var genre: Int
  }

  let genres: [Genre]
  package let subcategories: [Subcategory]
  /// The genre of what is no music, or of no genre in particular: an album is in it only if it is in no other one.
  let other: Int
  /// A number that changes with the file and with the assignments of people: albums are matched again then.
  let digest: UInt64
  private let spellings: [String: GenreSet]
  /// Spellings that stand for several genres together, and count only where no other tag of the album matches.
  private let weak: Set<String>
  private let weakSet: GenreSet
  /// The nouns that stand for a tag that ends with them, the longest first.
  private let headNouns: [String]
  private let id3Names: [String]

  /// The index that stands for albums without any genre.
  var unsorted: Int { genres.count }

  /// The text of `taxonomy.json`, which is compiled into the module.
  package static var builtIn: [UInt8] {
    let file = lunara_taxonomy()
    return Array(UnsafeBufferPointer(start: file.bytes, count: file.count))
  }

  /// Reads a taxonomy.
  ///
  /// - Parameter assigned: the ids of genres or subcategories by the tags that people assigned to them.
  /// - Throws: `discovery.badTaxonomy`.
  package init(_ json: [UInt8], assigned: [String: String] = [:]) throws {
    guard let view = JSONView(json), let rows = view["genres"]?.elements, !rows.isEmpty else {
      throw Self.bad("it has no genres")
    }
    var (genres, subcategories, spellings): ([Genre], [Subcategory], [String: GenreSet]) = ([], [], [:])
    var places: [String: GenreSet] = [:]
    func add(_ names: [String], _ set: GenreSet) {
      for name in names {
        let folded = TagFolding.fold(name)
        if !folded.isEmpty { spellings[folded, default: GenreSet()].formUnion(set) }
      }
    }
    func texts(_ view: JSONView?) -> [String] { (view?.elements ?? []).compactMap(\.string) }
    for row in rows {
      guard let id = row["id"]?.string, let name = row["name"]?.string else {
        throw Self.bad("a genre has no id or name")
      }
      let first = subcategories.count
      var whole = GenreSet()
      whole.insert(genre: genres.count)
      places[id] = whole
      add([name] + texts(row["aliases"]), whole)
      for part in row["subcategories"]?.elements ?? [] {
        guard let id = part["id"]?.string, let name = part["name"]?.string else {
          throw Self.bad("a subcategory has no id or name")
        }
        var set = GenreSet()
        set.insert(subcategory: subcategories.count, ofGenre: genres.count)
        places[id] = set
        add([name] + texts(part["aliases"]), set)
        subcategories.append(Subcategory(id: id, name: name, genre: genres.count))
      }
      genres.append(
        Genre(
          id: id, name: name, isCore: row["core"]?.isTrue ?? false, subcategories: first..<subcategories.count))
    }
    guard genres.count <= GenreSet.mostGenres, subcategories.count <= GenreSet.mostSubcategories,
      let other = genres.firstIndex(where: { $0.id == "other" })
    else { throw Self.bad("it has too many genres, or none with the id other") }
    var digest = FNV1a()
    digest.combine(json)
    for (tag, place) in assigned.sorted(by: { $0.key < $1.key }) {
      guard let set = places[place] else { continue }
      spellings[TagFolding.fold(tag)] = set
      digest.combine("\(tag)\u{1F}\(place)\u{1F}".utf8)
    }
    var weakSet = GenreSet()
    for id in ["rock", "pop"] { weakSet.formUnion(places[id] ?? GenreSet()) }
    self.genres = genres
    self.subcategories = subcategories
    self.other = other
    self.digest = digest.value
    self.spellings = spellings
    self.weakSet = weakSet
    weak = Set(texts(view["weak"]).map(TagFolding.fold))
    headNouns = Set(texts(view["headNouns"]).map(TagFolding.fold)).sorted { ($0.utf8.count, $0) > ($1.utf8.count, $1) }
    id3Names = texts(view["id3v1"])
  }

  private static func bad(_ reason: String) -> LunaraError {
    LunaraError(
      "discovery.badTaxonomy", "The taxonomy of genres cannot be used: \(reason). Install Lunara again.")
  }

  /// Returns the genres of an album with these tags, and the tags that belong to none.
  func match(_ tags: [String]) -> (set: GenreSet, unmatched: [String]) {
    var (set, unmatched, hasWeak) = (GenreSet(), [String](), false)
    for tag in tags.flatMap(plainTags) {
      if weak.contains(TagFolding.fold(tag)) {
        hasWeak = true
      } else if let found = self.set(ofTag: tag) {
        set.formUnion(found)
      } else {
        unmatched.append(tag)
      }
    }
    if set.isEmpty, hasWeak { set = weakSet }
    if set.genres & ~(1 << UInt32(other)) != 0 { set.remove(genre: other) }
    if set.isEmpty { set.insert(genre: unsorted) }
    return (set, unmatched)
  }

  /// Returns the genres of one tag; nil if it belongs to none.
  func set(ofTag tag: String) -> GenreSet? {
    let folded = TagFolding.fold(tag)
    if let whole = spellings[folded] { return whole }
    let parts = tag.split { ";,/|\0".contains($0) }.map { TagFolding.fold(String($0)) }.filter { !$0.isEmpty }
    if parts.count > 1 {
      let found = parts.compactMap { spellings[$0] ?? set(ofHeadNounIn: $0) }
      guard found.isEmpty else { return found.reduce(into: GenreSet()) { $0.formUnion($1) } }
    }
    return set(ofHeadNounIn: folded)
  }

  /// Returns the genres of the longest noun that ends a folded tag at the beginning of a word.
  private func set(ofHeadNounIn folded: String) -> GenreSet? {
    headNouns.first { folded.hasSuffix(" \($0)") }.flatMap { spellings[$0] }
  }

  /// Returns the tag with ID3v1 numbers in brackets replaced by their names: `(17)` and `(4)Eurodisco` become `Rock`,
  /// and `Disco` with `Eurodisco`.
  private func plainTags(_ tag: String) -> [String] {
    guard tag.hasPrefix("(") else { return [tag] }
    var (names, rest) = ([String](), Substring(tag))
    while rest.first == "(", let end = rest.firstIndex(of: ")"),
      let number = Int(rest[rest.index(after: rest.startIndex)..<end]), id3Names.indices.contains(number)
    {
      names.append(id3Names[number])
      rest = rest[rest.index(after: end)...]
    }
    return names.isEmpty ? [tag] : names + (rest.isEmpty ? [] : [String(rest)])
  }

  /// Returns the index of a genre by its id or name; nil if there is none.
  func genre(_ word: String) -> Int? {
    let folded = TagFolding.fold(word)
    return genres.firstIndex { $0.id == word || TagFolding.fold($0.name) == folded }
      ?? spellings[folded].flatMap {
        $0.hasSubcategory ? nil : $0.genreIndices.count == 1 ? $0.genreIndices.first : nil
      }
  }

  /// Returns the index of a subcategory of a genre by its id or name; nil if there is none.
  func subcategory(_ word: String, of genre: Int) -> Int? {
    let folded = TagFolding.fold(word)
    let range = genres[genre].subcategories
    return range.first { subcategories[$0].id == word || TagFolding.fold(subcategories[$0].name) == folded }
      ?? range.first { spellings[folded]?.contains(subcategory: $0) ?? false }
  }

  /// True if there is a genre or subcategory with this id.
  func has(_ id: String) -> Bool { genres.contains { $0.id == id } || subcategories.contains { $0.id == id } }

  /// Returns the name of a genre; nil for albums that are in none.
  func name(ofGenre index: Int) -> String? { genres.indices.contains(index) ? genres[index].name : nil }
}
