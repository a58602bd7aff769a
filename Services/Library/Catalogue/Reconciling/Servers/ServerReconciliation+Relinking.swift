import Messages
import Model
import Records
import Storage

/// Finds the rows of tracks whose ids at the server have changed.
extension ServerReconciliation {
  /// Returns true if a guid is the same in every library; some are valid within one library only.
  static func isGlobal(_ guid: String?) -> Bool {
    guard let guid else { return false }
    return !guid.hasPrefix("local://") && !guid.contains("agents.none")
  }

  private struct StoredIdentity {
    var guid: String?
    var file: String?
    var identity: Int64
    var duration: Milliseconds
  }

  private func known(_ row: Int64) throws -> StoredIdentity? {
    try transaction.row("SELECT guid, file, identity, duration FROM tracks WHERE id = ?", row) { row in
      StoredIdentity(
        guid: try row.value(0), file: try row.value(1), identity: try row.value(2), duration: try row.value(3))
    }
  }

  /// Returns true if the staged track under a row's id is still the track of the row, and not another one with that id.
  func isSame(_ native: String, _ row: Int64) throws -> Bool {
    guard let known = try known(row), let track = try record(ServerTrack.self, .track, native)?.record else {
      return true
    }
    let guids = Self.isGlobal(known.guid) && Self.isGlobal(track.guid) ? known.guid == track.guid : nil
    let files = known.file == nil || track.file == nil ? nil : known.file == track.file
    if guids == true || files == true { return true }
    let identity = try identity(of: track)
    if identity == known.identity, TrackIdentity.isNear(track.duration, known.duration) { return true }
    guard guids == nil, files == nil, let identity else { return false }
    // There is neither guid nor file to compare: the track was renamed, unless another row has its new name.
    let other = try transaction.row(
      "SELECT id FROM tracks WHERE identity = ? AND source = ? AND id <> ?", identity, source, row
    ) { try $0.value(0) as Int64 }
    return other == nil
  }

  /// The identity of a staged track; nil if its album is not known.
  private func identity(of track: ServerTrack) throws -> Int64? {
    if let album = try record(ServerAlbum.self, .album, track.album)?.record {
      return Self.identity(of: track, album.artist, album.title).hash64
    }
    return try album(track.album).map { Self.identity(of: track, $0.artist, $0.title).hash64 }
  }

  static func identity(of track: ServerTrack, _ artist: String, _ album: String) -> TrackIdentity {
    TrackIdentity(artist: artist, album: album, disc: track.disc, number: track.number, title: track.title)
  }

  /// The rows by a hash of their guid, file or identity, which needs less memory than the texts.
  private struct Lookup {
    private var entries: [(hash: Int64, row: Int64)] = []

    mutating func add(_ hash: Int64, _ row: Int64) { entries.append((hash, row)) }
    mutating func sort() { entries.sort { ($0.hash, $0.row) < ($1.hash, $1.row) } }

    func rows(_ hash: Int64) -> [Int64] {
      var (low, high) = (0, entries.count)
      while low < high {
        let middle = (low + high) / 2
        if entries[middle].hash < hash { low = middle + 1 } else { high = middle }
      }
      return entries[low...].prefix { $0.hash == hash }.map(\.row)
    }
  }

  /// Returns the lost rows to which new records belong, by the records' ids: by guid, then by file, then by identity.
  func relink(_ new: [String], among lost: [Int64]) throws -> [String: Int64] {
    guard !new.isEmpty, !lost.isEmpty else { return [:] }
    var (guids, files, identities) = (Lookup(), Lookup(), Lookup())
    for row in lost {
      guard let known = try known(row) else { continue }
      if let guid = known.guid, Self.isGlobal(guid) { guids.add(contentHash(of: guid.utf8), row) }
      if let file = known.file { files.add(contentHash(of: file.utf8), row) }
      identities.add(known.identity, row)
    }
    guids.sort()
    files.sort()
    identities.sort()
    var links: [String: Int64] = [:]
    var taken: Set<Int64> = []
    // Each way is tried for all records before the next, less certain one: otherwise a copy of a track could get the
    // row of another.
    let ways: [(ServerTrack, Int64?) -> [Int64]] = [
      { track, identity in
        guard let guid = track.guid, Self.isGlobal(guid) else { return [] }
        let rows = guids.rows(contentHash(of: guid.utf8))
        guard rows.count > 1 else { return rows }
        // Two copies of a track have the same guid, so their files are compared, too.
        let sameFile = track.file.map { Set(files.rows(contentHash(of: $0.utf8))) } ?? []
        return rows.filter(sameFile.contains) + rows
      },
      { track, _ in track.file.map { files.rows(contentHash(of: $0.utf8)) } ?? [] },
      { track, identity in identity.map(identities.rows) ?? [] },
    ]
    for (index, way) in ways.enumerated() {
      for native in new where links[native] == nil {
        try checkStop()
        guard let track = try record(ServerTrack.self, .track, native)?.record else { continue }
        let identity = index == 2 ? try identity(of: track) : nil
        let row = try way(track, identity).first { row in
          guard !taken.contains(row) else { return false }
          return try index < 2 || (known(row).map { TrackIdentity.isNear($0.duration, track.duration) } ?? false)
        }
        guard let row else { continue }
        links[native] = row
        taken.insert(row)
      }
    }
    return links
  }
}

/// The staged records of a kind that are new, and those that differ from their rows.
struct StagedChanges {
  /// The server's ids of records without a row, shorter ones first.
  private(set) var new: [String] = []
  /// The records that differ from their rows, with the rows' numbers.
  private(set) var changed: [(native: String, row: Int64)] = []
  /// Rows whose ids at the server now belong to other tracks, as after a rebuild of the server's library.
  private(set) var displaced: [Int64] = []

  /// The part of a record that says whether its details are missing.
  private struct Details: Decodable { var isPartial: Bool? }

  /// The ids of all new and changed records, shorter ones first.
  var natives: [String] { (changed.map(\.native) + new).sorted(by: Self.isBefore) }

  init(of kind: StagingTable.Kind, _ reconciliation: ServerReconciliation) throws {
    // `artist_members` has no numbers; any column that is not NULL shows that there is a row.
    let (table, native, number) =
      switch kind {
      case .artist: ("artist_members", "native", "digest")
      case .album: ("albums", "key", "id")
      default: ("\(kind)s", "native", "id")
      }
    var (new, changed): ([String], [(native: String, row: Int64)]) = ([], [])
    _ = try reconciliation.transaction.rows(
      """
      SELECT s.native, s.body, t.\(number), t.digest FROM staged s LEFT JOIN \(table) t
        ON t.source = s.source AND t.\(native) = s.native WHERE s.source = ? AND s.kind = ?
      """, reconciliation.source, kind.rawValue
    ) { row in
      guard let number = try row.value(2) as Int64? else {
        new.append(try row.value(0))
        return
      }
      let body: [UInt8] = try row.value(1)
      guard try row.value(3) as Int64? != contentHash(of: body) else { return }
      // More is known of an item than its record without details says.
      if try MessageCoding.decode(Details.self, from: body).isPartial != true {
        changed.append((try row.value(0), number))
      }
    }
    try reconciliation.checkStop()
    self.changed = changed
    if kind == .track {
      self.changed = []
      for (native, row) in changed {
        if try reconciliation.isSame(native, row) {
          self.changed.append((native, row))
        } else {
          new.append(native)
          displaced.append(row)
        }
      }
    }
    self.new = new.sorted(by: Self.isBefore)
  }

  /// Moves new records that were relinked to known rows to the changed ones.
  mutating func link(_ links: [String: Int64]) {
    changed += new.compactMap { native in links[native].map { (native, $0) } }
    new.removeAll { links[$0] != nil }
  }

  /// Orders ids by length first, which is the numeric order for numbers.
  static func isBefore(_ left: String, _ right: String) -> Bool {
    (left.utf8.count, left) < (right.utf8.count, right)
  }
}

extension ServerReconciliation {
  func record<Record: Decodable>(_ type: Record.Type, _ kind: StagingTable.Kind, _ native: String) throws -> (
    record: Record, digest: Int64
  )? {
    let body = try transaction.row(
      "SELECT body FROM staged WHERE source = ? AND kind = ? AND native = ?", source, kind.rawValue, native
    ) { try $0.value(0) as [UInt8] }
    guard let body else { return nil }
    return (try MessageCoding.decode(type, from: body), contentHash(of: body))
  }
}
