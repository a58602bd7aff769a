import Bus
import Messages
import Model
import Storage

/// Which sources there are: those that the settings name, and those that a person added.
actor SourceRegistry {
  private let database: Database
  private let journal: Journal?
  private let files: FilesSource
  private let kinds: [String: ServerKind]
  private let secrets: any SecretStore
  private let now: @Sendable () -> Timestamp

  init(
    _ files: FilesSource, kinds: [ServerKind], secrets: any SecretStore, database: Database, journal: Journal?,
    now: @escaping @Sendable () -> Timestamp
  ) {
    (self.files, self.secrets, self.database, self.journal, self.now) = (files, secrets, database, journal, now)
    self.kinds = Dictionary(kinds.map { ($0.name, $0) }) { $1 }
  }

  /// Brings the list in line with the settings, and gives a source for each that can be used. What cannot is told with
  /// its error.
  func open() async throws -> (sources: [any MusicSource], problems: [LunaraError]) {
    let kinds = kinds
    let records = try await database.write { transaction in
      try Catalogue.note(source: FilesSource.name, kind: FilesSource.kind, isFromSettings: true, transaction)
      for record in try Catalogue.records(transaction) where record.isFromSettings && record.kind != FilesSource.kind {
        // What no setting names any more is the person's to remove.
        guard kinds[record.kind]?.setup == nil else { continue }
        try transaction.execute("UPDATE sources SET is_from_settings = 0 WHERE name = ?", record.name)
      }
      for (kind, setup) in kinds.compactMap({ kind in kind.value.setup.map { (kind.key, $0) } }).sorted(by: {
        $0.0 < $1.0
      }) {
        let known = try Catalogue.records(transaction)
        var record =
          known.first { $0.kind == kind && ($0.isFromSettings || $0.address == setup.address) }
          ?? SourceRecord(name: Catalogue.freeName(kind, known), kind: kind)
        (record.address, record.isFromSettings) = (setup.address, true)
        record.account = setup.account ?? record.account
        try Catalogue.keep(record, transaction)
      }
      return try Catalogue.records(transaction)
    }
    var (sources, problems): ([any MusicSource], [LunaraError]) = ([], [])
    for record in records {
      do {
        if let source = try await source(record) { sources.append(source) }
      } catch {
        problems.append(LunaraError(error))
      }
    }
    return (sources, problems)
  }

  /// A source of a record; nil where this version has no such kind.
  func source(_ record: SourceRecord) async throws -> (any MusicSource)? {
    if record.kind == FilesSource.kind { return files }
    guard let kind = kinds[record.kind] else { return nil }
    let given = record.isFromSettings ? kind.setup?.secret : nil
    let kept = given == nil ? try await secrets.secret(of: record.name) : nil
    return ServerSource(
      name: record.name, kind: record.kind, server: try kind.connect(record, given ?? kept), database: database,
      journal: journal, now: now)
  }

  /// The sources with how each fares and its sections.
  func list(_ statuses: [Library.SourceStatus]) async throws -> Library.SourceList {
    let folders = files.folders
    return try await database.read { transaction in
      let records = Dictionary(try Catalogue.records(transaction).map { ($0.name, $0) }) { $1 }
      return Library.SourceList(
        sources: try statuses.map { status in
          let record = records[status.name]
          let sections =
            status.kind == FilesSource.kind
            ? folders.map { folder in
              let path = LocalPath(bytes: folder).description
              return .init(key: path, title: path, isOn: true, tracks: folders.count == 1 ? status.tracks : 0)
            } : try Self.sections(of: status.name, transaction)
          return Library.SourceDetail(
            status: status, isFromSettings: record?.isFromSettings ?? false, account: record?.account,
            sections: sections)
        })
    }
  }

  private static func sections(
    of source: String, _ transaction: ReadTransaction
  ) throws -> [Library.SourceDetail.Section] {
    try transaction.rows(
      """
      SELECT key, title, is_on, (SELECT count(*) FROM tracks t WHERE t.source = s.source AND t.section = s.key)
      FROM sections s WHERE source = ? ORDER BY position, key
      """, source
    ) { row in .init(key: try row.value(0), title: try row.value(1), isOn: try row.value(2), tracks: try row.value(3)) }
  }

  /// Sets a server up, once it has answered.
  ///
  /// - Throws: `library.badAddress`, `library.sourceExists`, `library.sourceAway`, `library.signedOut`.
  func add(_ request: Library.AddSource) async throws -> any MusicSource {
    guard let kind = kinds[request.type] else { throw SourceRefusal.badAddress(request.type, request.address) }
    var record = SourceRecord(
      name: Catalogue.freeName(kind.name, try await database.read(Catalogue.records)), kind: kind.name,
      address: request.address, account: request.user)
    let identity = try await kind.connect(record, request.secret).identify()
    record.machine = identity.machine
    try await secrets.keep(request.secret, of: record.name)
    let kept = try await database.write { [record] transaction in
      let known = try Catalogue.records(transaction)
      if let same = known.first(where: { $0.machine == record.machine }) { throw SourceRefusal.exists(same.name) }
      guard record.name == Catalogue.freeName(record.kind, known) else { throw SourceRefusal.exists(record.name) }
      try Catalogue.keep(record, transaction)
      return record
    }
    guard let source = try await source(kept) else { throw SourceRefusal.unknown(kept.name) }
    return source
  }

  /// Forgets a source and all that it brought; `ending` ends what runs of it.
  ///
  /// - Throws: `library.unknownSource`, `library.sourceFromSettings`.
  func remove(_ name: String, ending: @Sendable (String) async -> Void) async throws {
    guard let record = try await database.read(Catalogue.records).first(where: { $0.name == name }) else {
      throw SourceRefusal.unknown(name)
    }
    guard !record.isFromSettings else { throw SourceRefusal.fromSettings(name) }
    await ending(name)
    let (journal, now) = (journal, now)
    try await database.write { try Catalogue.remove(source: name, now: now(), journal: journal, $0) }
    try await secrets.keep(nil, of: name)
  }

  /// Notes whether a section's music is wanted; the next refresh reads everything.
  ///
  /// - Throws: `library.unknownSource`.
  func switchSection(_ request: Library.SwitchSection) async throws {
    try await database.write { transaction in
      let known = try transaction.execute(
        "UPDATE sections SET is_on = ? WHERE source = ? AND key = ?", request.isOn, request.source, request.section)
      guard known > 0 else { throw SourceRefusal.unknown("\(request.source) with a section \(request.section)") }
      try transaction.execute("UPDATE sources SET mark = NULL WHERE name = ?", request.source)
    }
  }
}
