import Text

/// The metadata of a file for the catalogue: its tags, and values from its name where tags are missing.
///
/// It is a class, as copying a struct of twenty texts would retain each of them.
final class FileMetadata: Sendable {
  let tags: FileTags
  let title: String
  let titleSort: String
  let disc: Int
  let number: Int?
  let packed: String

  convenience init(packed: String, folder: [UInt8], name: [UInt8]) {
    self.init(FileTags(packed: packed), packed: packed, folder: folder, name: name)
  }

  init(_ tags: FileTags, packed: String? = nil, folder: [UInt8], name: [UInt8]) {
    self.tags = tags
    self.packed = packed ?? tags.packed
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
