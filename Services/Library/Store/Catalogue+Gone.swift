import Messages
import Model
import Storage

/// Which tracks of queues are no more.
extension Catalogue {
  private static let mostTracks = 500

  /// Those of these tracks that are gone for good: the catalogue has them no longer, under no number and no copy, and
  /// their source says so, or was taken away by a person.
  ///
  /// Numbers are the catalogue's own and survive a server that counts anew, so what is only numbered otherwise there is
  /// not gone. What this catalogue never gave a number is none of its business.
  ///
  /// - Parameter answering: the sources that are well and were read as a whole.
  /// - Throws: `library.tooManyIDs`.
  static func gone(
    _ request: Library.ListRemovedTracks, answering: Set<String>, _ transaction: ReadTransaction
  ) throws -> Library.RemovedTracks {
    guard request.tracks.count <= mostTracks else {
      throw LunaraError(
        "library.tooManyIDs", "\(request.tracks.count) tracks at once are too many. Ask for \(mostTracks) at a time.")
    }
    let catalogue = try transaction.row("SELECT generation, next_track FROM catalogue") { row in
      (generation: try row.value(0) as Int64, nextTrack: try row.value(1) as Int64)
    }
    let known = Set(try transaction.rows("SELECT name FROM sources") { try $0.value(0) as String })
    let gone = try request.tracks.filter { id in
      guard case .track(let number)? = CatalogueID(id), number < catalogue?.nextTrack ?? 0,
        answering.contains(id.source) || !known.contains(id.source)
      else { return false }
      return try shown(id, transaction) == nil
    }
    return Library.RemovedTracks(tracks: gone, generation: catalogue?.generation ?? 0)
  }
}
