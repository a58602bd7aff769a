import ServiceKit
package import Storage

/// The tables of the discovery service. What a person chose is saved from a damaged database; the albums can be read
/// from the library again.
package enum DiscoverySchema {
  package static let migrations = [
    Migration(
      "discovery-1",
      // `generation` is that of the catalogue that was read as a whole, and `run` the number of the last such reading.
      // `needs_all` counts the reasons to read everything that no whole reading has followed. `revision` changes with
      // everything that walls depend on. `taxonomy` is the digest of the taxonomy by which the albums were matched.
      """
      CREATE TABLE shelf (one INTEGER PRIMARY KEY CHECK (one = 1), generation INTEGER NOT NULL, is_read INTEGER NOT NULL,
        run INTEGER NOT NULL, read_at INTEGER, needs_all INTEGER NOT NULL, revision INTEGER NOT NULL,
        taxonomy INTEGER NOT NULL, opinions_at INTEGER) STRICT
      """,
      """
      INSERT INTO shelf (one, generation, is_read, run, needs_all, revision, taxonomy) VALUES (1, 0, 0, 0, 1, 0, 0)
      """,
      "CREATE TABLE dial (one INTEGER PRIMARY KEY CHECK (one = 1), position INTEGER NOT NULL) STRICT",
      // `tags` are packed, each ended by U+001F; `genres`, `low` and `high` are the `GenreSet`. An album that has left
      // the library keeps its row while walls refer to it, with `is_here` 0.
      """
      CREATE TABLE albums (number INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, title TEXT NOT NULL,
        artist TEXT NOT NULL, artist_id TEXT, artist_key INTEGER NOT NULL, year INTEGER, tags TEXT NOT NULL,
        genres INTEGER NOT NULL, low INTEGER NOT NULL, high INTEGER NOT NULL, added_at INTEGER NOT NULL,
        rating INTEGER, plays INTEGER NOT NULL, played_at INTEGER, art TEXT, release_group TEXT, run INTEGER NOT NULL,
        is_here INTEGER NOT NULL) STRICT
      """,
      // The albums that have changed since they were read.
      """
      CREATE TABLE changed_albums (id TEXT PRIMARY KEY, heard_at INTEGER, tries INTEGER NOT NULL DEFAULT 0)
        STRICT, WITHOUT ROWID
      """,
      // `opinion` is a `OwnedAlbum.Opinion`.
      """
      CREATE TABLE opinions (id TEXT PRIMARY KEY, opinion INTEGER NOT NULL, given_at INTEGER NOT NULL)
        STRICT, WITHOUT ROWID
      """,
      "CREATE TABLE unwanted (id TEXT PRIMARY KEY, since INTEGER NOT NULL) STRICT, WITHOUT ROWID",
      "CREATE TABLE assigned_tags (tag TEXT PRIMARY KEY, place TEXT NOT NULL) STRICT, WITHOUT ROWID",
      // `genre` is empty for a wall; `parts` are the ids of subcategories with a comma between them. `round` is the
      // number of the last round, and `is_round_over` is 1 once all of it was shown.
      """
      CREATE TABLE walls (number INTEGER PRIMARY KEY AUTOINCREMENT, genre TEXT NOT NULL, parts TEXT NOT NULL,
        seed INTEGER NOT NULL, dial INTEGER NOT NULL, first INTEGER NOT NULL, made_at INTEGER NOT NULL,
        used_at INTEGER NOT NULL, is_drawn INTEGER NOT NULL, pages INTEGER NOT NULL, round INTEGER NOT NULL,
        is_round_over INTEGER NOT NULL, UNIQUE (genre, parts, seed, dial, first)) STRICT
      """,
      """
      CREATE TABLE tiles (wall INTEGER NOT NULL, place INTEGER NOT NULL, album INTEGER NOT NULL, round INTEGER NOT NULL,
        signal TEXT NOT NULL, reason TEXT NOT NULL, evidence BLOB NOT NULL, PRIMARY KEY (wall, place))
        STRICT, WITHOUT ROWID
      """,
      "CREATE INDEX tiles_of_album ON tiles (wall, album, place)",
      "CREATE TABLE seen (album INTEGER PRIMARY KEY, seen_at INTEGER NOT NULL) STRICT"),
    outside,
    reviews,
    wishes,
    notes,
    similar,
    articles,
    listeners,
    changes,
    plays,
  ]

  static let saved = [
    "dial", "opinions", "unwanted", "assigned_tags", "outside_sources", "missing_albums", "wishes",
    "reviews", "review_settings", "review_days", "articles", "article_settings",
  ]

  /// The tables of sources outside the house.
  private static let outside = Migration(
    "discovery-2",
    // The `MatchKey`s of an album and of its artist. All albums are read again, so that they have them.
    "ALTER TABLE albums ADD COLUMN match_key INTEGER",
    "ALTER TABLE albums ADD COLUMN match_artist INTEGER",
    "CREATE INDEX albums_by_match ON albums (match_key)",
    "CREATE INDEX albums_by_match_artist ON albums (match_artist)",
    "CREATE INDEX albums_by_release_group ON albums (release_group)",
    "UPDATE shelf SET needs_all = needs_all + 1",
    // `run` is the number of the reading that is running or comes next, and `cursor` its place. `problem` is the last
    // error as JSON.
    """
    CREATE TABLE outside_sources (name TEXT PRIMARY KEY, is_on INTEGER NOT NULL, run INTEGER NOT NULL DEFAULT 1,
      cursor TEXT, read_at INTEGER, next_at INTEGER NOT NULL DEFAULT 0, failures INTEGER NOT NULL DEFAULT 0,
      problem BLOB) STRICT, WITHOUT ROWID
    """,
    // The albums and artists that sources named. `release` is the row of an album that may be missing in the library;
    // an artist without a title has no `match_key`. Readings before the last are there until it is whole.
    """
    CREATE TABLE finds (source TEXT NOT NULL, run INTEGER NOT NULL, number INTEGER NOT NULL, signal TEXT NOT NULL,
      kind TEXT NOT NULL, album TEXT, release_group TEXT, match_key INTEGER, match_artist INTEGER, release INTEGER,
      place INTEGER, listens INTEGER, near TEXT, PRIMARY KEY (source, run, number)) STRICT, WITHOUT ROWID
    """,
    "CREATE INDEX finds_of_release ON finds (release) WHERE release IS NOT NULL",
    // Albums that sources named and that may be missing in the library. A tile with one has its negative number.
    """
    CREATE TABLE releases (number INTEGER PRIMARY KEY AUTOINCREMENT, release_group TEXT NOT NULL UNIQUE,
      title TEXT NOT NULL, artist TEXT NOT NULL, match_key INTEGER NOT NULL, match_artist INTEGER NOT NULL, date TEXT,
      source TEXT NOT NULL) STRICT
    """,
    "CREATE TABLE artist_ids (match_artist INTEGER PRIMARY KEY, mbid TEXT NOT NULL) STRICT",
    "CREATE TABLE missing_albums (one INTEGER PRIMARY KEY CHECK (one = 1), is_on INTEGER NOT NULL) STRICT",
    """
    CREATE TABLE wishes (release_group TEXT PRIMARY KEY, title TEXT NOT NULL, artist TEXT NOT NULL,
      match_key INTEGER NOT NULL, match_artist INTEGER NOT NULL, date TEXT, source TEXT NOT NULL,
      wished_at INTEGER NOT NULL) STRICT, WITHOUT ROWID
    """)

  /// The wish list of the library, as far as walls need it.
  private static let wishes = Migration(
    "discovery-wishes",
    // `wishes` keeps what sources said of albums that were wished on a wall. `is_handed` is 0 for those that were
    // wished before the library kept them, until it has them.
    "ALTER TABLE wishes ADD COLUMN is_handed INTEGER NOT NULL DEFAULT 0",
    "CREATE INDEX wishes_by_match ON wishes (match_key)", "CREATE INDEX releases_by_match ON releases (match_key)",
    // The albums on the library's wish list, by the numbers of their wishes there.
    """
    CREATE TABLE wished (id INTEGER PRIMARY KEY, artist TEXT NOT NULL, title TEXT NOT NULL, release_group TEXT,
      match_key INTEGER NOT NULL, added_at INTEGER NOT NULL) STRICT
    """,
    "CREATE INDEX wished_by_release_group ON wished (release_group)",
    "CREATE INDEX wished_by_match ON wished (match_key)"
  )

  /// The notes of people, as far as reasons tell of them. All albums are read again, so that they have the times.
  private static let notes = Migration(
    "discovery-notes",
    "ALTER TABLE albums ADD COLUMN noted_at INTEGER", "UPDATE shelf SET needs_all = needs_all + 1",
    // The albums whose note a reason told of, so that it does not come twice in a fortnight.
    "CREATE TABLE told_notes (album INTEGER PRIMARY KEY, told_at INTEGER NOT NULL) STRICT")

  /// The listeners in the world that Plex servers give. All albums are read again, so that they have them.
  private static let listeners = Migration(
    "discovery-listeners",
    "ALTER TABLE albums ADD COLUMN listeners INTEGER", "UPDATE shelf SET needs_all = needs_all + 1")

  /// The albums with what similar ones are found by, so that they are compared without reading their rows.
  private static let similar = Migration(
    "discovery-similar",
    "CREATE INDEX albums_by_set ON albums (is_here, low, high, genres, year, artist_key)")

  /// The generation of the catalogue that contains the change of an album; null for a change that it does not count. A
  /// reading of all albums makes those changes needless that it contains.
  private static let changes = Migration(
    "discovery-changes", "ALTER TABLE changed_albums ADD COLUMN generation INTEGER")

  /// The library reports plays once it has counted them, so none is waited for. All albums are read again: a play that
  /// the library counted before it reported them may have been missed.
  private static let plays = Migration(
    "discovery-plays", "ALTER TABLE changed_albums DROP COLUMN heard_at",
    // The number of changes of an album: one that comes while it is being read leaves the row for another reading.
    "ALTER TABLE changed_albums RENAME COLUMN tries TO changes", "UPDATE shelf SET needs_all = needs_all + 1")

  /// The tables of reviews by language models.
  private static let reviews = Migration(
    "discovery-reviews",
    // `key` is artist and title, folded, and the year, so that a review stays with the album when its files are read as
    // new ones. Former versions stored no year.
    // `review` is the JSON of `Discovery.Review`.
    """
    CREATE TABLE reviews (key TEXT PRIMARY KEY, album TEXT NOT NULL, review TEXT NOT NULL) STRICT, WITHOUT ROWID
    """,
    "CREATE INDEX reviews_of_album ON reviews (album)",
    """
    CREATE TABLE review_settings (one INTEGER PRIMARY KEY CHECK (one = 1), endpoint TEXT, model TEXT,
      daily_cap INTEGER NOT NULL) STRICT
    """,
    // `day` counts the days of local time since 1970.
    "CREATE TABLE review_days (day INTEGER PRIMARY KEY, requests INTEGER NOT NULL) STRICT")
}

extension DiscoverySchema {
  /// The tables of articles of an encyclopedia.
  fileprivate static let articles = Migration(
    "discovery-articles",
    // `key` is the kind, the names, folded, and the year of an album, so that an article stays with an album whose
    // files are read as new ones; `id` is the kind and the id. `article` is the JSON of `Discovery.Article`, `guesses`
    // that of a list of `Discovery.ArticleGuess`, and `chosen` that of the one that a person chose. `is_refused` is 1
    // after they said that none is right.
    """
    CREATE TABLE articles (key TEXT PRIMARY KEY, id TEXT NOT NULL, artist TEXT NOT NULL, title TEXT, article TEXT,
      guesses TEXT, chosen TEXT, is_refused INTEGER NOT NULL, searched_at INTEGER) STRICT, WITHOUT ROWID
    """,
    "CREATE INDEX articles_of_id ON articles (id)",
    """
    CREATE TABLE article_settings (one INTEGER PRIMARY KEY CHECK (one = 1), is_on INTEGER NOT NULL,
      languages TEXT NOT NULL) STRICT
    """)
}

extension ServiceSchema {
  static let discovery = ServiceSchema(DiscoverySchema.migrations, saved: DiscoverySchema.saved)
}
