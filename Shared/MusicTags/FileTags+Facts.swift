package import Messages
package import Model
import Text

extension FileTags {
  /// Returns the tags with the values of lists one by one, for tags in which slashes stand between them.
  ///
  /// Names of artists have ids beside them, which tell more exactly where names are cut.
  package func separated(_ rules: TagRules) -> FileTags {
    guard joinsBySlash else { return self }
    func split(_ values: inout [String]) { values = values.flatMap(rules.slashes.split) }
    var tags = self
    split(&tags.words.genres)
    split(&tags.words.moods)
    split(&tags.words.styles)
    split(&tags.words.groupings)
    split(&tags.words.languages)
    split(&tags.albumName.labels)
    split(&tags.albumName.catalogueNumbers)
    tags.people = people.flatMap { person in
      let names = rules.slashes.split(person.name)
      let sorts = person.sort.map(rules.slashes.split) ?? []
      return names.enumerated().map { index, name in
        CreditTag(
          role: person.role, name: name, sort: sorts.count == names.count ? sorts[index] : nil,
          instrument: person.instrument)
      }
    }
    return tags
  }

  /// Returns what the tags say of a track beside its names, place and genres.
  package func facts(_ rules: TagRules) -> TrackFacts {
    var facts = TrackFacts()
    func list(_ names: [String]) -> [String]? { names.isEmpty ? nil : names }
    facts.subtitle = title.subtitle
    facts.discTitle = place.discTitle
    facts.date = dates.release ?? dates.date ?? dates.year
    facts.originalDate = dates.original ?? dates.originalYear
    facts.beatsPerMinute = words.tempo.flatMap { Double($0) }.flatMap { $0 > 0 && $0 < 1000 ? $0 : nil }
    facts.key = words.key
    facts.moods = list(rules.genres.words(in: words.moods))
    facts.styles = list(rules.genres.words(in: words.styles))
    facts.groupings = list(rules.lists.words(in: words.groupings))
    facts.languages = list(rules.lists.words(in: words.languages))
    facts.comment = words.comment
    facts.isExplicit = words.advisory.flatMap { ["1": true, "4": true, "0": false, "2": false][$0] }
    facts.acoustID = ids.acoustID
    return facts
  }

  /// Returns the words that describe a track and so its album, by their kinds.
  package func words(_ rules: TagRules) -> [(kind: Library.Tag.Kind, names: [String])] {
    let properties = audio.properties
    func one(_ value: (some CustomStringConvertible)?) -> [String] { value.map { [$0.description] } ?? [] }
    let all: [(kind: Library.Tag.Kind, names: [String])] = [
      (.genre, rules.genres.words(in: words.genres)), (.mood, rules.genres.words(in: words.moods)),
      (.style, rules.genres.words(in: words.styles)), (.label, rules.lists.words(in: albumName.labels)),
      (.type, releaseTypes(rules)), (.media, rules.lists.words(in: one(albumName.media))),
      (.country, rules.lists.words(in: one(albumName.country))), (.language, rules.lists.words(in: words.languages)),
      (.grouping, rules.lists.words(in: words.groupings)), (.key, one(words.key)), (.format, one(properties.codec)),
      (.sampleRate, one(properties.sampleRate)), (.bitDepth, one(properties.bitDepth)),
    ]
    return all.filter { !$0.names.isEmpty }
  }

  /// Returns the types of the release in small letters; a compilation is one by its flag unless a tag says otherwise.
  private func releaseTypes(_ rules: TagRules) -> [String] {
    let types = rules.slashes.words(in: rules.lists.words(in: albumName.types.map { $0.lowercased() }))
    return types.isEmpty && albumName.isCompilation ? ["compilation"] : types
  }
}
