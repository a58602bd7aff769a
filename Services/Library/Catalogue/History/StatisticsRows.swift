import Messages
import Model
import Storage

/// Makes the rows of statistics: what is in the library as it shows it, and what is not by the tags that it had.
struct StatisticsRows {
  let items: HeardItems
  let transaction: ReadTransaction

  func genre(_ place: Int, _ tally: StatisticsTally) -> Library.Statistics.Row {
    row(items.genres[place], items.genres[place], tally)
  }

  func artist(_ place: Int, _ tally: StatisticsTally) throws -> Library.Statistics.Row {
    try made(items.artists, place, "SELECT source || ':r' || id, name, NULL, art FROM artists WHERE id = ?", tally) {
      ($0.albumArtist, nil)
    }
  }

  func album(_ place: Int, _ tally: StatisticsTally) throws -> Library.Statistics.Row {
    try made(items.albums, place, "SELECT source || ':a' || id, title, artist, art FROM albums WHERE id = ?", tally) {
      ($0.album, $0.albumArtist)
    }
  }

  func track(_ place: Int, _ tally: StatisticsTally) throws -> Library.Statistics.Row {
    try made(
      items.tracks, place,
      """
      SELECT t.source || ':t' || t.id, t.title, t.artist, a.art FROM tracks t LEFT JOIN albums a ON a.id = t.shelf
      WHERE t.id = ?
      """, tally
    ) { ($0.title, $0.artist) }
  }

  /// Returns the row of an item: by the query if it is in the library, else with the names that `former` gives.
  private func made(
    _ list: HeardItems.List, _ place: Int, _ query: String, _ tally: StatisticsTally,
    _ former: (Track) -> (title: String, artist: String?)
  ) throws -> Library.Statistics.Row {
    switch list.keys[place] {
    case .here(let number):
      let found = try transaction.row(query, number) { row in
        var made = self.row(try row.value(0), try row.value(1), tally)
        made.artist = try row.value(2)
        made.art = try row.value(3)
        return made
      }
      return found ?? row("", "", tally)
    case .gone(let key):
      let body: String =
        try transaction.value(
          "SELECT body FROM listen_tracks WHERE id = ?", list.samples[place]) ?? ""
      let names = former(try MessageCoding.decode(Track.self, from: body.utf8))
      var made = row(key, names.title, tally)
      made.artist = names.artist
      made.isHere = false
      return made
    }
  }

  private func row(_ key: String, _ title: String, _ tally: StatisticsTally) -> Library.Statistics.Row {
    Library.Statistics.Row(key: key, title: title, plays: tally.plays, heard: Milliseconds(tally.heard))
  }
}

extension Library.Statistics.Row: SizedItem {
  var size: Int {
    PageBudget.size(key) + PageBudget.size(title) + PageBudget.size(artist) + PageBudget.size(art?.description) + 160
  }
}
