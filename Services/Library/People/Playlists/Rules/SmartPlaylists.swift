import Catalogue
import Messages
import Model
import Records
import Storage
import Synchronization

/// The counts of smart playlists.
typealias SmartCounts = KeptCounts<RuleCount>

/// The counts of lists with rules, kept while nothing changes that they depend on: counting all of them for each
/// listing would take too long in a large library.
final class KeptCounts<Count: Sendable>: Sendable {
  private struct CachedCount {
    var state: String
    var count: Count
  }

  /// The time for which one listing counts; lists that are left then keep their former count.
  private static var patience: Duration { .milliseconds(300) }

  private let kept = Mutex<[Int64: CachedCount]>([:])

  /// Returns the count of a list.
  ///
  /// - Parameters:
  ///   - state: a text that is the same while nothing changed.
  ///   - started: the start of the listing.
  func count(
    of number: Int64, state: String, since started: ContinuousClock.Instant, _ count: () throws -> Count
  ) rethrows -> Count {
    let known = kept.withLock { $0[number] }
    if let known, known.state == state || .now - started > Self.patience { return known.count }
    let counted = try count()
    kept.withLock { $0[number] = CachedCount(state: state, count: counted) }
    return counted
  }
}

/// Smart playlists: those whose tracks are found by rules at each reading.
extension Catalogue {
  /// Returns the rules of a playlist; nil for one that has none. Throws `library.badRules` for those of a newer
  /// version.
  static func rules(ofPlaylist number: Int64, _ transaction: ReadTransaction) throws -> PlaylistRules? {
    guard let text = try rulesText(ofPlaylist: number, transaction) else { return nil }
    return try PlaylistRules(json: Array(text.utf8))
  }

  static func rulesText(ofPlaylist number: Int64, _ transaction: ReadTransaction) throws -> String? {
    (try transaction.row("SELECT rules FROM playlists WHERE id = ?", number) { try $0.value(0) as String? }) ?? nil
  }

  static func ruleContext(of number: Int64?) -> RuleContext {
    RuleContext(seed: number ?? 0, playlist: number) { try rules(ofPlaylist: $0, $1) }
  }

  /// Returns a text that is the same while nothing changes on which the tracks of rules depend. It is another one every
  /// hour, as rules may speak of days.
  static func stateOfRules(_ transaction: ReadTransaction) throws -> String {
    let general: String =
      try transaction.value(
        "SELECT (generation + lists_revision) || ' ' || (SELECT ifnull(max(id), 0) FROM listens) FROM catalogue") ?? ""
    return "\(general) \(Timestamp.now().microseconds / 3_600_000_000)"
  }

  /// Returns playlists with the counts of those that have rules.
  static func counted(
    _ playlists: [Playlist], _ counts: SmartCounts?, _ transaction: ReadTransaction
  ) throws -> [Playlist] {
    guard playlists.contains(where: \.isSmart) else { return playlists }
    let started = ContinuousClock.now
    let state = try stateOfRules(transaction)
    return try playlists.map { playlist in
      guard playlist.isSmart, let number = CatalogueID.number(of: playlist.id, .playlist),
        let text = try rulesText(ofPlaylist: number, transaction)
      else { return playlist }
      let count = { () throws -> RuleCount in
        try Catalogue.count(of: try PlaylistRules(json: Array(text.utf8)), ruleContext(of: number), transaction)
      }
      var playlist = playlist
      do {
        let found =
          try counts?.count(of: number, state: "\(state) \(text)", since: started, count) ?? count()
        playlist.trackCount = found.tracks
        playlist.duration = found.duration
      } catch let error as LunaraError where error.code == "library.badRules" {
        playlist.note = error.message
      }
      return playlist
    }
  }

  /// Returns a page of a smart playlist. Its entries are numbered by their places, from 1.
  static func smartPlaylist(
    _ found: Playlist, _ number: Int64, _ rules: PlaylistRules, after: Cursor?, _ transaction: ReadTransaction
  ) throws -> Library.PlaylistPage {
    let first = try max(0, after?.number(0) ?? 0)
    let numbers = try tracks(
      of: rules, ruleContext(of: number), window: .init(offset: first, count: Int64(longestPage) + 1), transaction)
    let rows = try numbers.enumerated().compactMap { index, number in
      try track(number, transaction).map { (place: first + Int64(index), track: $0) }
    }
    let page = Library.Page(rows, PageBudget(items: longestPage, reserved: found.size), \.track) {
      Cursor("playlist", [$0.place + 1])
    }
    return Library.PlaylistPage(
      playlist: found, tracks: page.items,
      entries: page.items.indices.map { Library.PlaylistEntry(entry: first + Int64($0) + 1) }, next: page.next,
      rules: try rulesText(ofPlaylist: number, transaction))
  }

  /// Counts what rules find.
  static func preview(
    _ request: Library.PreviewRules, _ transaction: ReadTransaction
  ) throws -> Library.RulesPreview {
    let rules = try PlaylistRules(json: Array(request.rules.utf8))
    let context = ruleContext(of: nil)
    let count = try Catalogue.count(of: rules, context, transaction)
    let first = try tracks(of: rules, context, window: .init(count: 20), transaction)
    return Library.RulesPreview(
      trackCount: count.tracks, duration: count.duration, tracks: try first.compactMap { try track($0, transaction) })
  }
}
