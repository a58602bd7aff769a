import Messages
import Model
import Storage
import Testing

@testable import Catalogue
@testable import People
@testable import Records

/// A catalogue with the rows of `RuleMusic`.
///
/// Every second album has a second member, which has some of its words. Playlist 1 is one of the library itself, whose
/// entries name tracks in all ways; 2 is one of a server, 3 is smart, and 4 has entries that are not here.
struct RuleCatalogue {
  let catalogue: TestCatalogue
  let music: RuleMusic

  init(_ music: RuleMusic) async throws {
    self.music = music
    catalogue = try TestCatalogue()
    try await catalogue.database.write { transaction in
      try Self.people(music, transaction)
      for album in music.albums { try Self.album(album, music, transaction) }
      for track in music.tracks { try Self.track(track, music, transaction) }
      try Self.playlists(music, transaction)
    }
  }

  private static func people(_ music: RuleMusic, _ transaction: Transaction) throws {
    for person in music.people {
      try transaction.execute(
        "INSERT INTO artists (id, source, key, name, sort, albums) VALUES (?, 'plex', ?, ?, ?, 1)", person.number,
        person.names[0], person.names[0], person.sort)
      for name in person.names {
        try transaction.execute(
          "INSERT INTO artist_names (key, artist, name, is_whole) VALUES (?, ?, ?, 0)", "\(name) key", person.number,
          name)
      }
    }
    for (number, title) in RuleMusic.works.enumerated() {
      try transaction.execute(
        "INSERT INTO works (id, key, title, sort) VALUES (?, ?, ?, ?)", number + 1, title, title, "w\(2 - number)")
    }
    for (number, path) in RuleMusic.folders.enumerated() {
      try transaction.execute(
        "INSERT INTO folders (id, path, sort, device) VALUES (?1, ?2, ?2, 1)", number + 1, Array(path.utf8))
    }
  }

  private static func album(_ album: RuleMusic.Album, _ music: RuleMusic, _ transaction: Transaction) throws {
    let members = album.number % 2 == 0 ? [album.number, album.number + 100] : [album.number]
    for member in members {
      try transaction.execute(
        """
        INSERT INTO albums (id, source, key, title, title_sort, artist, artist_sort, artist_id, year, date, genres, tracks,
          duration, added_at, shelf, listed, merge_key)
        VALUES (?1, 'plex', ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, '', 1, ?9, 0, ?10, ?1 = ?10, 'k' || ?10)
        """, member, album.title, album.sort, album.artist, album.artistSort, music.people[album.artists[0]].number,
        album.year, album.date, album.duration, album.number)
    }
    for (place, artist) in album.artists.enumerated() {
      try transaction.execute(
        "INSERT INTO album_artists (album, place, artist, name) VALUES (?, ?, ?, '')", album.number, place,
        music.people[artist].number)
    }
    for (field, words) in album.words {
      guard let kind = [RuleField.genre: Library.Tag.Kind.genre, .style: .style, .mood: .mood, .label: .label][field]
      else { continue }
      for (place, word) in words.enumerated() {
        try AlbumTags.write([word], kind, of: members[place % members.count], isOfTracks: place > 0, transaction)
      }
    }
  }

  private static func track(_ track: RuleMusic.Track, _ music: RuleMusic, _ transaction: Transaction) throws {
    for copy in track.copies {
      let isShown = copy.number == track.number
      try transaction.execute(
        """
        INSERT INTO tracks (id, source, album, title, title_sort, artist, artist_sort, disc, number, year, genres,
          duration, added_at, played_at, shelf, shown, file, format, codec, bit_rate, sample_rate, bit_depth, rating,
          identity)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, '', ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21, ?22,
          ?1)
        """, copy.number, copy.source, music.albums[track.album].number, track.title, track.sort, track.artist,
        track.artistSort, track.disc, track.place, track.year, track.duration, track.addedAt,
        track.playedAt ?? Timestamp(seconds: 0), isShown ? music.albums[track.album].number : nil, track.number,
        copy.folder == nil ? copy.file : nil, track.format, track.codec, track.bitRate, track.sampleRate,
        track.bitDepth, track.rating)
      if let folder = copy.folder.flatMap(RuleMusic.folders.firstIndex) {
        try transaction.execute(
          "INSERT INTO files (folder, name, inode, size, modified, track, tags) VALUES (?, ?, 1, 1, 1, ?, '')",
          folder + 1, Array(copy.file.utf8), copy.number)
      }
      if copy.imported > 0 {
        try transaction.execute(
          "INSERT INTO imported_plays (identity, plays, imported_at) VALUES (?, ?, 0)", copy.number, copy.imported)
      }
      try listens(of: copy.number, plays: copy.plays, skips: copy.skips, transaction)
    }
    try transaction.execute("INSERT INTO heirs (kind, number, heir) VALUES (3, ?, ?)", track.former, track.number)
    try listens(of: track.former, plays: track.formerPlays, skips: 0, transaction)
    for (role, people) in track.credits {
      for (place, person) in people.enumerated() {
        try transaction.execute(
          "INSERT INTO credits (track, role, place, artist, name) VALUES (?, ?, ?, ?, '')", track.number, role.number,
          place, music.people[person].number)
      }
    }
    if let work = track.work {
      try transaction.execute("INSERT INTO track_works (track, work) VALUES (?, ?)", track.number, work + 1)
    }
  }

  private static func listens(of number: Int64, plays: Int, skips: Int, _ transaction: Transaction) throws {
    guard plays + skips > 0 else { return }
    try transaction.execute(
      "INSERT INTO listen_tracks (id, track, number, identity, body) VALUES (?1, ?1, ?1, 0, '{}')", number)
    // A listen that neither counted nor was skipped is neither.
    let outcomes = Array(repeating: 1, count: plays) + Array(repeating: 2, count: skips) + [0]
    for (at, outcome) in outcomes.enumerated() {
      try transaction.execute(
        """
        INSERT INTO listens (listen, track, room, started_at, day, heard, outcome) VALUES (?, ?, 'room', 1, 1, 1, ?)
        """, "\(number)-\(at)", number, outcome)
    }
  }

  private static func playlists(_ music: RuleMusic, _ transaction: Transaction) throws {
    for (number, source) in [(1, "lunara"), (2, "plex"), (3, "lunara"), (4, "lunara")] {
      try transaction.execute(
        """
        INSERT INTO playlists (id, source, native, title, title_sort, is_smart, digest) VALUES (?1, ?2, ?1, '', '', 0, 0)
        """, number, source)
    }
    for (playlist, tracks) in music.playlists {
      for (place, number) in tracks.sorted().enumerated() {
        guard let track = music.tracks.first(where: { $0.number == number }) else { continue }
        let isByIdentity = place % 4 == 0
        let row = [track.number, track.copies.last?.number, track.former][place % 3]
        try transaction.execute(
          "INSERT INTO playlist_entries (playlist, place, track, identity) VALUES (?, ?, ?, ?)", playlist, place,
          isByIdentity ? nil : row, isByIdentity ? track.number : nil)
      }
      try transaction.execute(
        "INSERT INTO playlist_entries (playlist, place, described) VALUES (?, 1000, '{}')", playlist)
    }
  }

  /// The rules of playlist 3.
  static let smart = #"{"any":[{"gt":{"rating":2}},{"inPlaylist":{"id":"plex:p2"}}],"sort":"title","limit":30}"#

  func context(_ seed: Int64 = 0) -> RuleContext {
    RuleContext(now: RuleMusic.now, seed: seed) { number, _ in
      number == 3 ? try PlaylistRules(json: Array(Self.smart.utf8)) : nil
    }
  }

  func tracks(_ rules: PlaylistRules, _ window: RuleQuery.Window? = nil, seed: Int64 = 0) async throws -> [Int64] {
    try await catalogue.database.read { try Catalogue.tracks(of: rules, context(seed), window: window, $0) }
  }

  func count(_ rules: PlaylistRules) async throws -> RuleCount {
    try await catalogue.database.read { try Catalogue.count(of: rules, context(), $0) }
  }
}
