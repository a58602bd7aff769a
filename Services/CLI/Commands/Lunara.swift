extension Command {
  /// The program with all its commands.
  static let lunara: Command = Command(
    name: "lunara", summary: "Lunara plays your own music, in whichever room you are in.",
    options: [.version],
    commands: [up, status, rooms, albums, artists, tracks, collections, playlists, tags] + things + [search, play]
      + transport + [
        move, queue, output, rate, pin, plays, scrobbles, sources, login, logout, sync, tap, replay, pair, join, key,
        doctor, web, backup, restore, enable, disable, explain, completions, manual, composeDemo,
      ])
}
