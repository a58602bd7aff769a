import Text

/// A picture in a folder that stands for the album in it.
struct Cover: Hashable, Sendable {
  /// The file's name.
  var name: [UInt8]
  /// What tells a changed picture from the one before.
  var mark: String

  private static let stems = ["cover", "folder", "front"]
  private static let endings = ["jpg", "jpeg", "png", "webp", "gif"]

  /// How good a cover a file of this name is, 0 being best; nil where it is none.
  static func rank(_ name: [UInt8]) -> Int? {
    guard let ending = FileName.ending(name).flatMap({ endings.firstIndex(of: $0) }),
      let stem = stems.firstIndex(of: FileName.stem(name).caseFolded)
    else { return nil }
    return stem * endings.count + ending
  }
}
