import Messages
import Model
import Plugins

/// Looks an address up by the plugin that opens it.
struct AddressLookup: Sendable {
  /// The most tracks of an album or playlist.
  static let trackLimit = 500

  /// The thing that an address names.
  struct Opened: Sendable {
    var kind: Resolver.OpenedAddress.Kind
    var title: String
    var artist: String?
    var tracks: [FoundTrack]
  }

  let plugin: PluginRegistry.Usable
  let address: String

  /// Looks the address up: by the kind that it has at its service, and else by what the plugin knows.
  ///
  /// - Throws: `resolver.nothingThere`, and the errors of the plugin for playlists.
  func run() async throws -> Opened {
    switch ServiceURLKind(of: address) {
    case .album: if let album = await album() { return album }
    case .playlist: if let list = try await playlist() { return list }
    case .track: if let track = await track() { return track }
    case .artist, .unknown:
      if let track = await track() { return track }
      if let album = await album() { return album }
      if let list = try await playlist() { return list }
    }
    throw LunaraError(
      "resolver.nothingThere", "\(plugin.file.name) finds no track, album or playlist at this address.")
  }

  private func track() async -> Opened? {
    guard let value = await quietly("lookupUrl"),
      let track = SourceAnswers.track(value, of: plugin.file.id, for: nil)
    else { return nil }
    return Opened(kind: .track, title: track.source.title, artist: track.source.artist, tracks: [track])
  }

  private func album() async -> Opened? {
    guard let value = await quietly("lookupAlbum"), value.isObject else { return nil }
    return list(value, .album, artist: SourceAnswers.text(value["artist"]))
  }

  private func playlist() async throws -> Opened? {
    guard plugin.has("lookupPlaylist") else { return nil }
    let value = try await plugin.call("lookupPlaylist", [.text(address)], within: SourceFinder.Deadline.playlist)
    guard value.isObject else { return nil }
    return list(value, .playlist, artist: SourceAnswers.text(value["owner"]) ?? SourceAnswers.text(value["creator"]))
  }

  /// Reads an album or a playlist. Its tracks have its artist, title and cover where they give none.
  private func list(_ value: PluginValue, _ kind: Resolver.OpenedAddress.Kind, artist: String?) -> Opened {
    let title = SourceAnswers.text(value["name"]) ?? SourceAnswers.text(value["title"]) ?? address
    let cover = SourceAnswers.address(value["albumArt"])
    let elements = value["tracks"]?.elements ?? []
    let tracks = SourceAnswers.tracks(.list(elements), of: plugin.file.id, limit: Self.trackLimit).map { track in
      var track = track
      if track.source.artist.isEmpty { track.source.artist = artist ?? "" }
      if kind == .album, track.source.album == nil { track.source.album = title }
      if track.source.cover == nil { track.source.cover = cover }
      return track
    }
    return Opened(kind: kind, title: title, artist: artist, tracks: tracks)
  }

  /// Calls a lookup whose errors mean that nothing was found.
  private func quietly(_ function: String) async -> PluginValue? {
    guard plugin.has(function) else { return nil }
    do { return try await plugin.call(function, [.text(address)], within: SourceFinder.Deadline.lookup) } catch {
      await plugin.runner.appendToLog("\(function) failed: \(LunaraError(error).description)")
      return nil
    }
  }
}

extension PluginRegistry.Usable {
  /// Returns true if one of the plugin's patterns fits an address.
  func opens(_ address: String) -> Bool { file.content.urlPatterns.contains { $0.matches(address) } }
}
