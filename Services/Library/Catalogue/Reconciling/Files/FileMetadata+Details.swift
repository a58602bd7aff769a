import Model
import MusicTags
import Records
import Text

/// The forms in which the catalogue stores tags.
extension FileMetadata {
  /// Returns the data of the track beyond its row. Artists who are exactly those of the album are not credited again.
  func details(on album: AlbumGrouping.Album) -> TaggedDetails {
    var details = TaggedDetails(credits: people)
    let isImplied =
      artists.isEmpty
      || artists.count == album.artists.count
        && zip(artists, album.artists).allSatisfy {
          $0.name.caseFolded == $1.name.caseFolded && ($0.id == $1.id || $0.id == nil || $1.id == nil)
        }
    if !isImplied { details.credits = artists.map { TaggedCredit(artist: $0, role: .artist) } + details.credits }
    if let work = tags.title.work {
      details.work = TaggedWork(
        title: work, id: tags.title.workID, movement: tags.title.movement, number: tags.title.movementNumber,
        total: tags.title.movementTotal)
    }
    return details
  }
}

extension FileTags {
  /// The MusicBrainz ids and the ISRC that scrobble services are sent.
  var musicIDs: MusicIDs {
    MusicIDs(
      artists: Array(artists.ids.prefix(MusicIDs.mostArtists)), releaseGroup: albumName.releaseGroupID, isrc: ids.isrc)
  }
}
