package import Messages
import Model
import Text

/// Interprets the properties of files in the process that reads these, so that a value which breaks a function ends
/// that process and not the one that holds the library.
package struct TagInterpreter {
  private let rules: TagRules
  /// The last tags from which everything was derived.
  private var last: FileTags?

  /// - Parameter rules: the rules of the library.
  package init(_ rules: TagRules) { self.rules = rules }

  /// Replaces the properties in an answer by packed tags, and derives everything that the library derives from a file.
  /// Values that the files of an album have in common are derived once.
  ///
  /// - Parameter name: the name of the file.
  package mutating func interpret(_ answer: inout TagReading.Answer, of name: [UInt8]) {
    guard answer.outcome == .read else { return }
    var tags = FileTags(properties: answer.text)
    let packed = tags.packed
    tags.audio.properties = answer.audio
    let metadata = FileMetadata(tags, packed: packed, folder: name, name: name, rules)
    if last?.describesSameAlbum(as: tags) != true {
      guard metadata.countDerived() >= 0 else { return }
      last = tags
    }
    if packed.utf8.count <= TagReading.packedLimit {
      answer.text = Array(packed.utf8)
    } else {
      answer = TagReading.Answer(.outOfMemory)
    }
  }
}

extension FileTags {
  /// Makes tags of properties: each is its name in capitals, NUL, its value, NUL.
  package init(properties: [UInt8]) {
    var interpretation = TagInterpretation()
    properties.withUnsafeBufferPointer { properties in
      var rest = properties[...]
      func next() -> UnsafeBufferPointer<UInt8>? {
        guard let end = rest.firstIndex(of: 0) else { return nil }
        defer { rest = rest[(end + 1)...] }
        return UnsafeBufferPointer(rebasing: rest[..<end])
      }
      while let name = next(), let value = next() {
        interpretation.add(name, value)
      }
    }
    self = interpretation.finished()
  }
}

extension FileTags {
  /// Returns true if other tags differ in the title, the place, the ids and the sound of the track at most.
  fileprivate func describesSameAlbum(as other: FileTags) -> Bool {
    albumName == other.albumName && artists == other.artists && albumArtists == other.albumArtists
      && words == other.words && people == other.people && dates == other.dates
      && joinsBySlash == other.joinsBySlash
  }
}

extension FileMetadata {
  /// Derives every value that the catalogue takes from a file, and returns their number.
  package func countDerived() -> Int {
    let facts = tags.facts(rules)
    let texts = [artistSort, albumArtistSort, facts.subtitle, facts.date, facts.comment].compactMap { $0 }
    let dates = [tags.dates.edition, tags.dates.originalRelease].compactMap { $0 }
    let words = tags.words(rules).reduce(0) { $0 + $1.names.count }
    let folded = titleSort.caseFolded.utf8.count
    // The library reads the stored text again.
    let isStored = FileTags(packed: packed).isEmpty == tags.isEmpty
    return people.count + albumArtists.count + firstArtists.count + genres.count + texts.count + dates.count + words
      + folded + (isStored ? 1 : 0)
  }
}
