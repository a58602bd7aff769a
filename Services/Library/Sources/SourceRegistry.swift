import Bus
package import Catalogue
package import Messages
package import Model
package import Records
package import Storage

/// Keeps the list of sources: those that the settings name, and those that a person added.
package actor SourceRegistry {
  let database: Database
  let publisher: ChangePublisher
  let files: FilesSource
  nonisolated let kinds: SourceKinds
  private let secrets: SourceSecrets
  let now: @Sendable () -> Timestamp

  package init(
    _ files: FilesSource, kinds: SourceKinds, secrets: SourceSecrets, database: Database, publisher: ChangePublisher,
    now: @escaping @Sendable () -> Timestamp
  ) {
    self.files = files
    self.secrets = secrets
    self.kinds = kinds
    self.database = database
    self.publisher = publisher
    self.now = now
  }

  /// Updates the list by the settings, and returns all sources. A source that cannot be connected is returned as an
  /// `UnavailableSource`, which reports the reason.
  func open() async throws -> [any MusicSource] {
    let (kinds, refusals) = (kinds, refusals())
    try await readFolders()
    for record in try await records() where record.isLeaving { try await takeOut(record.name) }
    let records = try await database.write { transaction in
      try Catalogue.register(source: FilesSource.name, kind: FilesSource.kind, isFromSettings: true, transaction)
      for record in try Catalogue.records(transaction) where record.isFromSettings && record.kind != FilesSource.kind {
        // A source that no setting names any more is left for the person to remove.
        guard kinds[record.kind]?.setup == nil else { continue }
        try transaction.execute("UPDATE sources SET is_from_settings = 0 WHERE name = ?", record.name)
      }
      for descriptor in kinds.all {
        guard let setup = descriptor.setup else { continue }
        let kind = descriptor.kind.kind
        let known = try Catalogue.records(transaction)
        var record =
          known.first { $0.kind == kind && ($0.isFromSettings || $0.address == setup.address) }
          ?? SourceRecord(name: Catalogue.freeName(kind, known), kind: kind)
        // An address that may carry a secret is not stored and not shown.
        record.address = refusals[kind] == nil ? setup.address : nil
        record.isFromSettings = true
        record.account = setup.account ?? record.account
        try Catalogue.keep(record, transaction)
      }
      return try Catalogue.records(transaction)
    }
    return records.compactMap { usable($0, refusal: $0.isFromSettings ? refusals[$0.kind] : nil) }
  }

  private func refusals() -> [String: LunaraError] {
    var refusals: [String: LunaraError] = [:]
    for descriptor in kinds.all {
      guard let setup = descriptor.setup else { continue }
      do { _ = try descriptor.baseAddress(setup.address) } catch { refusals[descriptor.kind.kind] = LunaraError(error) }
    }
    return refusals
  }

  func records() async throws -> [SourceRecord] { try await database.read(Catalogue.records) }

  /// - Throws: `library.unknownSource`.
  private func record(named name: String) async throws -> SourceRecord {
    guard let record = try await records().first(where: { $0.name == name }) else { throw SourceError.unknown(name) }
    return record
  }

  /// Returns the source of a record, an `UnavailableSource` where it cannot be connected; nil if this version has no
  /// such kind.
  private func usable(_ record: SourceRecord, refusal: LunaraError? = nil) -> (any MusicSource)? {
    do {
      if let refusal { throw refusal }
      return try source(record)
    } catch {
      return UnavailableSource(name: record.name, kind: record.kind, error: LunaraError(error))
    }
  }

  /// Returns the source of a record; nil if this version has no such kind. Throws where it cannot be connected.
  func source(_ record: SourceRecord) throws -> (any MusicSource)? {
    if record.kind == FilesSource.kind { return files }
    guard let descriptor = kinds[record.kind], let connect = descriptor.connect else { return nil }
    let given = record.isFromSettings ? descriptor.setup?.secret : nil
    let kept = given == nil ? try secrets.secret(of: record.name) : nil
    return ServerSource(
      name: record.name, kind: record.kind, server: try connect(record, given ?? kept), database: database,
      publisher: publisher, now: now)
  }

  package func list(_ statuses: [Library.SourceStatus]) async throws -> Library.SourceList {
    let folders = files.folders
    let kinds = kinds.all.map(\.kind)
    return try await database.read { transaction in
      let records = Dictionary(try Catalogue.records(transaction).map { ($0.name, $0) }) { $1 }
      return Library.SourceList(
        sources: try statuses.map { status in
          let record = records[status.name]
          let sections =
            status.kind == FilesSource.kind
            ? try Self.sections(of: folders, transaction) : try Self.sections(of: status.name, transaction)
          let isFromSettings =
            status.kind == FilesSource.kind ? !folders.fromSettings.isEmpty : record?.isFromSettings ?? false
          return Library.SourceDetail(
            status: status, isFromSettings: isFromSettings, account: record?.account, sections: sections)
        }, kinds: kinds)
    }
  }

  private static func sections(
    of source: String, _ transaction: ReadTransaction
  ) throws -> [Library.SourceDetail.Section] {
    try transaction.rows(
      """
      SELECT key, title, is_on, (SELECT count(*) FROM tracks t WHERE t.source = s.source AND t.section = s.key)
      FROM sections s WHERE source = ? AND NOT is_gone ORDER BY position, key
      """, source
    ) { row in .init(key: try row.value(0), title: try row.value(1), isOn: try row.value(2), tracks: try row.value(3)) }
  }

  /// Adds a server as a source, once it has answered and accepted the secret, if one is given. For a server that is a
  /// source already, replaces the secret, the address and the user; without a secret, changes the settings that the
  /// request names, and does not ask the server.
  ///
  /// - Parameter machine: the server's machine id, if known; then the server need not answer now.
  /// - Throws: `library.badAddress`, `library.sourceExists`, `library.sourceFromSettings`, `library.sourceAway`,
  ///   `library.wrongServerKind`, `library.serverUntrusted`, `library.signedOut`.
  func add(_ request: Library.AddSource, machine: String? = nil) async throws -> any MusicSource {
    guard let descriptor = kinds[request.type], descriptor.connect != nil else {
      throw SourceError.badAddress(request.type, request.address)
    }
    let records = try await records()
    let known = records.first { $0.kind == request.type && descriptor.isSame($0.address, request.address) }
    if let known, request.secret == nil, machine == nil { return try await change(known.name, by: request, descriptor) }
    let user = request.user ?? known?.account
    var given = SourceRecord(
      name: Catalogue.freeName(request.type, records), kind: request.type, address: request.address,
      account: user.flatMap { $0.isEmpty ? nil : $0 })
    given.settings = try SourceSettings.merged(known?.settings, with: request, of: descriptor.kind)
    if let machine {
      given.machine = machine
    } else {
      given.machine = try await Self.machine(of: given, request.secret, descriptor)
    }
    let (before, kept) = try await database.write { [given] transaction in
      let known = try Catalogue.records(transaction)
      let before = known.first { $0.machine == given.machine }
      if let before, before.isLeaving { throw SourceError.leaving(before.name) }
      let record = try before.map { try Self.renewed($0, given, request, descriptor) } ?? given
      guard before != nil || record.name == Catalogue.freeName(record.kind, known) else {
        throw SourceError.exists(record.name)
      }
      try Catalogue.keep(record, transaction)
      return (before, record)
    }
    do {
      // The secret is stored after the source, so that no secret is left without a source.
      if before == nil || request.secret != nil { try secrets.keep(request.secret, of: kept.name) }
    } catch {
      try await undo(kept.name, before)
      throw error
    }
    guard let source = try source(kept) else { throw SourceError.unknown(kept.name) }
    return source
  }

  /// Returns the id of a server's machine, once the server has accepted the secret, if there is one.
  private static func machine(
    of given: SourceRecord, _ secret: String?, _ descriptor: SourceDescriptor
  ) async throws -> String {
    guard let connect = descriptor.connect else { throw SourceError.badAddress(given.kind, given.address ?? "") }
    do {
      let server = try connect(given, secret)
      let machine = try await server.identify().machine
      // Some servers say who they are without a sign-in.
      if secret != nil { _ = try await server.sections() }
      return machine
    } catch let error as LunaraError where error.code == "library.signedOut" && secret != nil {
      throw refusal(of: given, descriptor, error)
    }
  }

  /// Returns the error for a secret that a server refused as it was to be added.
  private static func refusal(
    of given: SourceRecord, _ descriptor: SourceDescriptor, _ error: LunaraError
  ) -> LunaraError {
    let address = given.address ?? ""
    let place = address.contains("://") ? String(address.drop { $0 != ":" }.dropFirst(3)) : address
    let secret = descriptor.kind.settings.first { $0.key == "secret" }?.title.lowercased() ?? "secret"
    let hasUsers = descriptor.kind.settings.contains { $0.key == "user" }
    let what =
      given.account != nil
      ? "the user name or the \(secret)" : hasUsers ? "this as a key, and a \(secret) needs its user" : "the \(secret)"
    return SourceError.signInRefused("The \(descriptor.kind.title) server at \(place)", what, cause: error.cause)
  }

  /// Changes the settings of a source that a request names, and returns the source, connected with its stored secret.
  ///
  /// - Throws: `library.sourceExists` if the request names no setting or another user, which needs a secret.
  private func change(
    _ name: String, by request: Library.AddSource, _ descriptor: SourceDescriptor
  ) async throws -> any MusicSource {
    let hasSettings = try SourceSettings.merged(nil, with: request, of: descriptor.kind) != nil
    let changed = try await database.write { transaction in
      guard var record = try Catalogue.records(transaction).first(where: { $0.name == name }) else {
        throw SourceError.unknown(name)
      }
      guard !record.isLeaving else { throw SourceError.leaving(name) }
      guard hasSettings, request.user == nil || request.user == record.account else { throw SourceError.exists(name) }
      record.settings = try SourceSettings.merged(record.settings, with: request, of: descriptor.kind)
      try Catalogue.keep(record, transaction)
      return record
    }
    guard let source = usable(changed) else { throw SourceError.unknown(name) }
    return source
  }

  /// Returns the record of a known source, changed by a request to add it again.
  private static func renewed(
    _ known: SourceRecord, _ given: SourceRecord, _ request: Library.AddSource, _ descriptor: SourceDescriptor
  ) throws -> SourceRecord {
    let settings = try SourceSettings.merged(known.settings, with: request, of: descriptor.kind)
    guard known.kind == given.kind, request.secret != nil || settings != known.settings else {
      throw SourceError.exists(known.name)
    }
    var record = known
    record.settings = settings
    guard request.secret != nil else { return record }
    if known.isFromSettings {
      // The settings take the place of the stored values.
      guard descriptor.setup?.secret == nil else { throw SourceError.fromSettings(known.name) }
    } else {
      record.address = given.address
      record.account = given.account
    }
    return record
  }

  private func undo(_ name: String, _ before: SourceRecord?) async throws {
    try await database.write { [publisher, now] transaction in
      if let before {
        try Catalogue.keep(before, transaction)
      } else {
        try Catalogue.remove(source: name, now: now(), publisher, transaction)
      }
    }
  }

  /// Removes the stored secret of a source, and returns true if there was one. Throws `library.unknownSource`, and
  /// `library.sourceFromSettings` where the settings give the secret.
  func forgetSecret(of name: String) async throws -> Bool {
    let record = try await record(named: name)
    if record.isFromSettings, kinds[record.kind]?.setup?.secret != nil { throw SourceError.fromSettings(name) }
    guard try secrets.secret(of: name) != nil else { return false }
    try secrets.keep(nil, of: name)
    return true
  }

  /// Returns the source of a name, made again. Throws `library.unknownSource`.
  func source(named name: String) async throws -> any MusicSource {
    guard let source = usable(try await record(named: name)) else { throw SourceError.unknown(name) }
    return source
  }

  /// Removes a source and its music; `ending` stops its running refresh. Throws `library.unknownSource`,
  /// `library.sourceFromSettings`.
  func remove(_ name: String, ending: @Sendable (String) async -> Void) async throws {
    if name == FilesSource.name || Self.isFolder(name) { return try await remove(folders: name, ending: ending) }
    let record = try await record(named: name)
    guard !record.isFromSettings else { throw SourceError.fromSettings(name) }
    guard !record.isLeaving else { throw SourceError.leaving(name) }
    await ending(name)
    try await takeOut(name)
  }

  /// Removes a source from the catalogue in several transactions; `open` continues a removal that was interrupted.
  private func takeOut(_ name: String) async throws {
    let (publisher, now) = (publisher, now)
    try await database.write { try Catalogue.beginRemoval(of: name, $0) }
    var isMore = true
    while isMore {
      isMore = try await database.write(priority: .background) {
        try Catalogue.removeBatch(of: name, now: now(), publisher, $0)
      }
    }
    try await database.write { try Catalogue.remove(source: name, now: now(), publisher, $0) }
    try secrets.keep(nil, of: name)
  }

  /// Changes the order of the sources, and returns the names of all in that order. Throws `library.unknownSource`.
  func order(_ names: [String]) async throws -> [String] {
    try await database.write { [publisher, now] in try Catalogue.order(sources: names, now: now(), publisher, $0) }
  }

  /// Notes whether a section's music is wanted; the next refresh reads everything. Throws `library.unknownSource`.
  func switchSection(_ request: Library.SwitchSection) async throws {
    try await database.write { transaction in
      let known = try transaction.execute(
        "UPDATE sections SET is_on = ? WHERE source = ? AND key = ? AND NOT is_gone", request.isOn, request.source,
        request.section)
      guard known > 0 else { throw SourceError.unknown("\(request.source) with a section \(request.section)") }
      try transaction.execute("UPDATE sources SET mark = NULL WHERE name = ?", request.source)
    }
  }
}
