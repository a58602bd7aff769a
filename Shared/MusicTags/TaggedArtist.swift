package import Model
import Text

/// An artist as tags name one.
package struct TaggedArtist: Hashable, Sendable, Codable {  // memberwise
  package var name: String
  /// The name that it is sorted by, as the tag writes it.
  package var sort: String? = nil
  /// The MusicBrainz id.
  package var id: String? = nil
  /// True if tags give the name by itself together with its id, so that it is not several names.
  package var isWhole = false

  /// The most artists of one track.
  private static let most = 16
}

extension TaggedArtist {
  /// Returns the artists that some tags name, without "Various Artists".
  ///
  /// Several values, and those of `ARTISTS`, are names by themselves. A single value is split by the rules, but not
  /// where there is exactly one id; where slashes cut it into as many names as there are ids, they stand between its
  /// names. Ids and sort names belong to the names if there are as many of them.
  package static func artists(_ tags: ArtistTags, _ rules: TagRules) -> [TaggedArtist] {
    let given = tags.each.isEmpty ? tags.shown : tags.each
    var names = given
    if given.count == 1, tags.each.isEmpty {
      if tags.ids.count != 1 { names = rules.artists.split(given[0]) }
    } else if given.contains(where: { $0.utf8.contains(UInt8(ascii: ";")) }), given.count != tags.ids.count {
      names = given.flatMap(rules.lists.split)
    }
    if given.count == 1, tags.ids.count > 1, names.count != tags.ids.count {
      let joined = rules.slashes.split(given[0])
      if joined.count == tags.ids.count { names = joined }
    }
    var sorts = tags.sort
    if sorts.count == 1, names.count > 1 {
      let joined = rules.slashes.split(sorts[0])
      sorts = joined.count == names.count ? joined : rules.artists.split(sorts[0])
    }
    let hasIDs = tags.ids.count == names.count
    let artists = names.enumerated().map { index, name in
      TaggedArtist(
        name: name, sort: sorts.count == names.count ? sorts[index] : nil, id: hasIDs ? tags.ids[index] : nil,
        isWhole: hasIDs && names.count == given.count)
    }
    return unique(artists)
  }

  /// Returns the first artist of each name, without "Various Artists".
  package static func unique(_ artists: [TaggedArtist]) -> [TaggedArtist] {
    if artists.count == 1 { return VariousArtists.isMeant(by: artists[0].name) ? [] : artists }
    var keys: Set<String> = []
    return Array(
      artists.filter { !VariousArtists.isMeant(by: $0.name) && keys.insert($0.name.caseFolded).inserted }.prefix(most))
  }
}

/// A person in a role, as tags name one.
package struct TaggedCredit: Hashable, Sendable {  // memberwise
  package var artist: TaggedArtist
  package var role: CreditRole
  package var instrument: String? = nil

  /// The most people of one track, artists included.
  package static let most = 40

  /// Returns the people that some tags name, each once in a role.
  package static func credits(_ people: [CreditTag], _ rules: TagRules) -> [TaggedCredit] {
    guard !people.isEmpty else { return [] }
    var credits: [TaggedCredit] = []
    for person in people {
      let names = rules.roles.split(person.name)
      for name in names where !VariousArtists.isMeant(by: name) {
        let credit = TaggedCredit(
          artist: TaggedArtist(name: name, sort: names.count == 1 ? person.sort : nil), role: person.role,
          instrument: person.instrument)
        let isKnown = credits.contains {
          $0.role == credit.role && $0.instrument == credit.instrument
            && $0.artist.name.caseFolded == credit.artist.name.caseFolded
        }
        if !isKnown { credits.append(credit) }
      }
    }
    return credits
  }
}
