/// The values of a tag among songs, as `list` and `count` report them.
enum TagList {
  /// One value of the listed tag in its groups.
  struct Row: Equatable {
    /// The values of the groups, outermost first.
    var groups: [String]
    var value: String
    var songs = 0
    var seconds: Int64 = 0
  }

  /// Returns the values of a tag, each once in each combination of groups, sorted by groups and value.
  ///
  /// - Parameters:
  ///   - tag: the tag; songs without it are left out.
  ///   - groups: the tags of the groups, outermost first; a song without one is in the group of an empty text.
  static func rows(of tag: SongTag, groupedBy groups: [SongTag], among songs: some Sequence<Song>) -> [Row] {
    var rows: [[String]: Row] = [:]
    for song in songs {
      for path in combinations(of: song, groups) {
        for value in song.values(of: tag) {
          var row = rows[path + [value]] ?? Row(groups: path, value: value)
          row.songs += 1
          row.seconds += song.duration.roundedSeconds
          rows[path + [value]] = row
        }
      }
    }
    return rows.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map(\.value)
  }

  private static func combinations(of song: Song, _ groups: [SongTag]) -> [[String]] {
    groups.reduce([[]]) { paths, tag in
      let values = song.values(of: tag)
      return paths.flatMap { path in (values.isEmpty ? [""] : values).map { path + [$0] } }
    }
  }
}

extension Reply {
  /// Adds rows of a list: the values of groups only where they change.
  mutating func add(_ rows: [TagList.Row], of tag: SongTag, groups: [SongTag]) {
    var last: [String]?
    for row in rows {
      var isNew = false
      for (index, group) in groups.enumerated() {
        isNew = isNew || last.map { $0[index] != row.groups[index] } ?? true
        if isNew { add(group.rawValue, row.groups[index]) }
      }
      last = row.groups
      add(tag.rawValue, row.value)
    }
  }
}
