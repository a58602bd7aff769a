import Model
import Text

/// What an album shows of its tracks taken together. Tracks are added in the album's order.
struct AlbumSummary: Equatable {
  /// What a track contributes.
  struct Part {
    var genres: [String]
    /// A picture in its folder, or in the folder that holds all discs.
    var folderCover: ArtReference?
    /// Whether that folder holds other albums as well.
    var isFolderShared: Bool
    /// The picture in its file.
    var embedded: ArtReference?
  }

  private(set) var tracks = 0
  private(set) var genres: [String] = []
  private var foldedGenres: Set<String> = []
  private var folderCover: ArtReference?
  private var embedded: ArtReference?
  private var sharedCover: ArtReference?

  private static let mostGenres = 24

  /// The picture in its own folder, else the first in a file, else the one of a folder it shares.
  var art: ArtReference? { folderCover ?? embedded ?? sharedCover }

  /// Adds the next track.
  mutating func add(_ part: Part) {
    tracks += 1
    for genre in part.genres where genres.count < Self.mostGenres && !genres.contains(genre) {
      if foldedGenres.insert(genre.caseFolded).inserted { genres.append(genre) }
    }
    if part.isFolderShared {
      sharedCover = sharedCover ?? part.folderCover
    } else {
      folderCover = folderCover ?? part.folderCover
    }
    embedded = embedded ?? part.embedded
  }
}
