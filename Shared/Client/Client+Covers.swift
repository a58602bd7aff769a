import Bus
import FoundationEssentials
import Messages
public import Model

extension Client {
  /// Gives a playlist a cover: a picture in JPEG, PNG or WebP, of at most 8 MiB; nil removes it.
  ///
  /// - Throws: `library.badPicture`, and the errors of `ask`.
  public func setCover(_ picture: [UInt8]?, of id: PlaylistID) async throws -> Playlist {
    guard let picture else { return try await ask(Library.SetPlaylistCover(id: id, part: nil), of: .library) }
    guard !picture.isEmpty, picture.count <= Library.SetPlaylistCover.mostBytes else {
      throw LunaraError("library.badPicture", "A cover is a picture of at most 8 MiB.")
    }
    var answer: Playlist?
    for start in stride(from: 0, to: picture.count, by: Library.SetPlaylistCover.partBytes) {
      let part = picture[start..<min(start + Library.SetPlaylistCover.partBytes, picture.count)]
      answer = try await ask(
        Library.SetPlaylistCover(
          id: id, part: Data(part).base64EncodedString(), offset: start, size: picture.count), of: .library)
    }
    guard let answer else { throw LunaraError("library.badPicture", "The picture is empty.") }
    return answer
  }
}
