import Text

/// A picture in a folder that stands for the artist of all that lies below it.
enum ArtistPicture {
  private static let endings = ["jpg", "jpeg", "png", "webp", "gif"]

  /// How good a picture of an artist a file of this name is, 0 being best; nil where it is none.
  static func rank(_ name: [UInt8]) -> Int? {
    guard let ending = FileName.ending(name).flatMap({ endings.firstIndex(of: $0) }),
      FileName.stem(name).caseFolded == "artist"
    else { return nil }
    return ending
  }
}
