import Model
import Text

/// What a file becomes in the catalogue: its tags, and where they are silent, its name.
///
/// A class, for it has a score of texts that never change: passing it on costs one count of references, not twenty.
final class FileMetadata: Sendable {
  let tags: FileTags
  let title: String
  let titleSort: String
  let disc: Int
  let number: Int?
  /// The tags as the store keeps them.
  let packed: String

  /// Reads what stored tags and the path say.
  convenience init(packed: String, folder: [UInt8], name: [UInt8]) {
    self.init(FileTags(packed: packed), packed: packed, folder: folder, name: name)
  }

  /// Reads what tags and path say.
  convenience init(_ tags: FileTags, folder: [UInt8], name: [UInt8]) {
    self.init(tags, packed: tags.packed, folder: folder, name: name)
  }

  private init(_ tags: FileTags, packed: String, folder: [UInt8], name: [UInt8]) {
    self.tags = tags
    self.packed = packed
    if let title = tags.title, let number = tags.number {
      self.title = title
      self.number = number
    } else {
      let fromName = FileName.numberedTitle(FileName.stem(name))
      title = tags.title ?? fromName.title.normalised
      number = tags.number ?? fromName.number
    }
    disc = tags.disc ?? FileName.discNumber(ofFolder: FilePath.name(folder)) ?? 1
    titleSort = SortKey.of(tags.titleSort ?? title)
  }
}
