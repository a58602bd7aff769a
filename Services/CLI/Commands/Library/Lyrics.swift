import Bus
import Client
import Messages
import Model

extension Command {
  static let lyrics = Command(
    name: "lyrics", summary: "the lyrics of a track, with the times of its lines where these are known",
    examples: [
      "lunara lyrics": "those of the current track", "lunara lyrics files:t14": "of this one",
      "lunara lyrics \"Last Tram\"": "by its title",
    ],
    takes: Parameter(
      .room,
      operand: Operand(
        name: "ID…", count: 0...10_000, help: "the track's id, or its title; the current track of the room without any",
        completes: .household(.tracks))
    ) { $0.operands }, .context()
  ) { client, console, words, context in
    let ids =
      words.isEmpty
      ? [try await client.currentTrack(of: try await client.room(for: context))]
      : try await client.each(words) { try await client.id($0) { try $0.track() } }
    for id in ids {
      let lyrics = try await client.lyrics(id)
      console.isJSON ? console.print(lyrics.json) : lyrics.print(to: console)
    }
  }
}

extension Client {
  /// Returns the current track of a room. Throws `cli.nothingPlays` where there is none.
  fileprivate func currentTrack(of room: RoomName) async throws -> TrackID {
    guard let item = try await state(Playback.RoomState.self, of: .playback(room))?.value.item else {
      throw LunaraError(
        "cli.nothingPlays", "The room \(room) plays nothing. Play something, or name a track by its id or title.")
    }
    return item.track.id
  }
}

extension Library.Lyrics {
  fileprivate func print(to console: Console) {
    for line in lines {
      let time = line.start.map { console.style.faint(Self.clock($0)) + "  " } ?? ""
      console.print(time + Printable.line(line.text) + "\n")
    }
  }

  /// Returns minutes, seconds and hundredths.
  private static func clock(_ time: Milliseconds) -> String {
    let hundredths = time.rawValue / 10
    func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return "\(two(hundredths / 6000)):\(two(hundredths / 100 % 60)).\(two(hundredths % 100))"
  }
}
