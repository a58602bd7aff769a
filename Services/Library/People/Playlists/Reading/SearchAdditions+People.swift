package import Catalogue
import Messages
import Model
import Storage

extension SearchAdditions {
  /// Returns those of smart playlists, with their counts, and of people's notes.
  package static func ofPeople() -> SearchAdditions {
    let counts = SmartCounts()
    return SearchAdditions(
      counted: { try Catalogue.counted([$0], counts, $1).first ?? $0 },
      notes: { try Catalogue.notes(Library.ListNotes(words: $0, limit: $1), $2).items })
  }
}
