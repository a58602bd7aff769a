import Messages
import Model

/// Single items: their audio, pictures, ratings and plays.
extension SubsonicServer {
  /// The audio as the file has it. To ask for it counts no play.
  func stream(part: String?, native: String) async throws -> ServerStream {
    ServerStream(url: try await client.url("stream", [("id", part ?? native), ("format", "raw")]))
  }

  func picture(_ reference: String, size: Int?) async throws -> [UInt8] {
    let bytes = try await client.bytes("getCoverArt", [("id", reference)] + (size.map { [("size", "\($0)")] } ?? []))
    guard !bytes.isEmpty else { throw SubsonicError.from(70, "the picture is empty", client.server) }
    return bytes
  }

  func rate(_ item: RatedItem, _ rating: Rating?) async throws {
    let parts = [("id", item.native), ("rating", "\(SubsonicRecords.stars(rating))")]
    if case .failed(let code, let message, _) = try await client.ask("setRating", parts) {
      // Some know ratings of tracks only and find no such thing.
      if code == 0 || code == 70, case .track = item {
      } else if code == 0 || code == 70 {
        throw LunaraError(
          "library.notRateable", "\(client.server) keeps no ratings of that kind. Rate the tracks instead.",
          cause: "error \(code): \(message.prefix(200))")
      }
      throw SubsonicError.from(code, message, client.server)
    }
    guard rating == nil else { return }
    // A star counts as a rating where there is no other. One that was not there is no failure.
    let name =
      switch item {
      case .artist: "artistId"
      case .album: "albumId"
      case .track: "id"
      }
    _ = try await client.callIfKnown("unstar", [(name, item.native)])
  }

  func playCount(of native: String) async throws -> Int? {
    guard forwardsPlays else { return nil }
    let song = try await client.call("getSong", [("id", native)])["song"]
    return Int(clamping: song?["playCount"]?.integer ?? 0)
  }

  func countPlay(of native: String, at time: Timestamp) async throws {
    guard forwardsPlays else { return }
    let time = "\(time.microseconds / 1000)"
    _ = try await client.call("scrobble", [("id", native), ("time", time), ("submission", "true")])
  }

  func report(_ report: NowPlayingReport) async throws {
    guard forwardsPlays, report.state == .playing else { return }
    _ = try await client.call("scrobble", [("id", report.native), ("submission", "false")])
  }

  func item(_ native: String) async throws -> ServerItem? {
    let id = [("id", native)]
    if let song = try await client.callIfKnown("getSong", id)?["song"],
      let track = SubsonicRecords.track(song, section: nil)
    {
      return .track(track)
    }
    if let row = try await client.callIfKnown("getAlbum", id)?["album"],
      let album = SubsonicRecords.album(row, section: nil)
    {
      let songs = row["song"]?.elements ?? []
      return .album(album, songs.compactMap { SubsonicRecords.track($0, section: nil) })
    }
    let artist = try await client.callIfKnown("getArtist", id)?["artist"]
    return artist.flatMap { SubsonicRecords.artist($0, section: nil) }.map { .artist($0) }
  }
}
