/// Words by which mpc and other players call what Lunara has under another name.
enum OtherWords {
  /// The commands, by the words of others.
  static let commands: [String: String] = [
    "add": "queue add ID", "clear": "queue clear", "consume": "queue remove N", "crop": "queue crop",
    "current": "rooms", "del": "queue remove N", "delete": "queue remove N", "find": "search WORDS",
    "findadd": "play --search WORDS", "history": "plays", "insert": "queue add ID --next", "list": "tags KIND",
    "listall": "tracks", "listplaylists": "playlists", "load": "play LIST", "ls": "folders", "lsplaylists": "playlists",
    "outputs": "output list", "playlist-add": "playlists add LIST ID", "prev": "previous", "queued": "queue",
    "random": "queue shuffle", "rescan": "sync", "rm": "playlists delete LIST", "save": "playlists new NAME --queue",
    "shuffle": "queue shuffle", "single": "repeat one", "skip": "next", "start": "resume", "stats": "statistics",
    "unpause": "resume", "update": "sync", "version": "--version", "vol": "volume",
  ]

  /// Returns the hint for a word, to stand behind a sentence; nil if no other player has the word.
  static func hint(for word: String) -> String? {
    commands[word].map { " `lunara \($0)` does that." }
  }
}
