import Messages

/// The tools that a language model may use in a conversation, as plugins get them.
enum ChatTools {
  static let all: PluginValue = .list(tools)

  private static let tools: [PluginValue] = [
    tool("play", "Play a track now. What is queued stays, and follows after it.", track, ["artist", "title"]),
    tool(
      "control", "Control the playback of the room.",
      ["action": choice("resume", "pause", "next", "previous", "stop")], ["action"]),
    tool("seek", "Go to a place in the current track.", ["seconds": number("Seconds from its beginning")], ["seconds"]),
    tool("get_position", "Tell what plays, and how far it is.", [:]),
    tool("search", "Search the library for artists, albums and tracks.", ["query": text("Words")], ["query"]),
    tool(
      "queue_add", "Add tracks to the queue.",
      ["tracks": tracks, "position": choice("next", "last")], ["tracks"]),
    tool("queue_clear", "Remove everything from the queue. The person is asked first.", [:]),
    tool(
      "create_playlist", "Make a playlist.", ["name": text("Its title"), "tracks": tracks], ["name"]),
    tool("shuffle", "Shuffle the queue, or undo that.", ["enabled": .object(["type": .text("boolean")])], ["enabled"]),
    tool(
      "block_recommendation", "Note that the person does not want an artist, or one track of an artist.",
      ["artist": text("The artist"), "title": text("The track; leave it out for all music of the artist")], ["artist"]),
    tool("get_playlists", "List the playlists.", [:]),
    tool("get_playlist_tracks", "List the tracks of a playlist with their positions.", list, ["playlist_id"]),
    tool(
      "add_to_playlist", "Add tracks to a playlist.", list.merging(["tracks": tracks]) { $1 },
      ["playlist_id", "tracks"]),
    tool(
      "remove_from_playlist", "Remove tracks from a playlist.",
      list.merging(["positions": .object(["type": .text("array"), "items": number("A position, from 1")])]) { $1 },
      ["playlist_id", "positions"]),
    tool(
      "reorder_playlist", "Move a track of a playlist.",
      list.merging(["from": number("Its position, from 1"), "to": number("Its new position")]) { $1 },
      ["playlist_id", "from", "to"]),
    tool(
      "rename_playlist", "Give a playlist another title.", list.merging(["name": text("The title")]) { $1 },
      ["playlist_id", "name"]),
    tool("delete_playlist", "Delete a playlist. The person is asked first.", list, ["playlist_id"]),
  ]

  private static let track: [String: PluginValue] = [
    "artist": text("The artist"), "title": text("The title"), "album": text("The album, if it matters"),
    "id": text("The id, if a search gave one"),
  ]

  private static let tracks: PluginValue = .object([
    "type": .text("array"), "items": .object(["type": .text("object"), "properties": .object(track)]),
  ])

  private static let list: [String: PluginValue] = ["playlist_id": text("The id of the playlist, or its title")]

  private static func text(_ summary: String) -> PluginValue {
    .object(["type": .text("string"), "description": .text(summary)])
  }

  private static func number(_ summary: String) -> PluginValue {
    .object(["type": .text("number"), "description": .text(summary)])
  }

  private static func choice(_ values: String...) -> PluginValue {
    .object(["type": .text("string"), "enum": .list(values.map { .text($0) })])
  }

  private static func tool(
    _ name: String, _ summary: String, _ properties: [String: PluginValue], _ required: [String] = []
  ) -> PluginValue {
    .object([
      "name": .text(name), "description": .text(summary),
      "parameters": .object([
        "type": .text("object"), "properties": .object(properties), "required": .list(required.map { .text($0) }),
      ]),
    ])
  }
}
