import Client
import Messages
import Model

extension Option {
  static let playOn = Option(
    "--on", "PLUGIN", help: "not in a room but on a device of your own, such as spotify", completes: .words(["spotify"])
  )
  static let device = Option("--device", "NAME", help: "with --on: that device; `lunara plugins devices` lists them")
}

extension Client {
  /// Plays the named music on a device of a plugin's account, and says which.
  ///
  /// - Parameters:
  ///   - described: the track; nil to play what the operands name.
  func play(on plugin: String, _ described: DescribedTrack?, _ arguments: Arguments, _ console: Console) async throws {
    try requireResolver()
    let tracks: [DescribedTrack] =
      if let described { [described] } else { try await descriptions(of: try await playables(arguments.operands)) }
    let request = Resolver.PlayOnDevice(plugin: plugin, described: tracks, device: arguments.value(.device))
    let played = try await ask(request, within: .seconds(60))
    console.print(played.json, text: played.text)
    for track in played.missing {
      console.remark("Not found there: \(track.artist) – \(track.title)")
    }
  }

  /// Returns the descriptions of the first tracks of items of the library.
  private func descriptions(of ids: [PlayableID]) async throws -> [DescribedTrack] {
    let page = try await ask(Library.ListPlayable(ids: ids), within: .seconds(60))
    return page.tracks.prefix(Resolver.PlayOnDevice.limit).map { one in
      one.described
        ?? DescribedTrack(
          title: one.track.title, artist: one.track.artist, album: one.track.album.isEmpty ? nil : one.track.album,
          duration: one.track.duration, isrc: one.track.isrc, recordingID: one.track.recordingID)
    }
  }
}

extension Command {
  static let pluginDevices = Command(
    name: "devices", summary: "the devices of your own on which a plugin's account can play",
    discussion: "They are no rooms: what plays there is that device with its own program, and counts no listen here.",
    examples: ["lunara plugins devices spotify": "those on which Spotify is open"],
    takes: .operand("ID", help: "the plugin's id"),
    through: Client.withPlugins
  ) { client, console, id in
    let request = Resolver.ListDevices(plugin: id)
    let list = try await client.ask(request, within: .seconds(40))
    let rows: [[Table.Cell]] = list.devices.map { device in
      let remarks = [
        device.id == list.chosen ? "taken where none is named" : nil, device.isActive ? "active" : nil,
        device.isRestricted ? "takes no orders" : nil,
      ]
      return [.strong(device.name), .init(device.kind), .faint(remarks.compactMap { $0 }.joined(separator: ", "))]
    }
    console.print(list.json, Table(rows), ifEmpty: "No device is there. Open the service's program on one.")
  }
}

extension Resolver.DevicePlayback {
  fileprivate var text: String {
    "\(Printable.count(tracks, "track")) on \(Printable.line(device.name)). That device sounds, not a room.\n"
  }
}
