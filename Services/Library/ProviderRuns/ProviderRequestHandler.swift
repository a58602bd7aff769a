package import Bus
import Catalogue
package import Messages
package import Model
import People
import Records
package import Storage
package import Sync

/// Answers the requests about providers and wishes.
package struct ProviderRequestHandler: Sendable {
  let database: Database
  let services: [any ProviderService]
  /// The folder that is there while a provider is linked; nil if the calls are made in this process.
  let folder: ProvidersFolder?
  package let runner: ProviderRunner
  let hostID: String
  let roots: [LocalPath]
  let sources: @Sendable () async throws -> Library.SourceList
  /// Called when a playlist or wish has changed.
  let changed: @Sendable () async -> Void
  let now: @Sendable () -> Timestamp

  package init(
    database: Database, services: [any ProviderService], folder: ProvidersFolder? = nil, runner: ProviderRunner,
    hostID: String, roots: [LocalPath], sources: @escaping @Sendable () async throws -> Library.SourceList,
    changed: @escaping @Sendable () async -> Void, now: @escaping @Sendable () -> Timestamp
  ) {
    self.database = database
    self.services = services
    self.folder = folder
    self.runner = runner
    self.hostID = hostID
    self.roots = roots
    self.sources = sources
    self.changed = changed
    self.now = now
  }

  package func start(on node: Node) async {
    await node.serve(Library.ListProviders.self) { [self] _, _ in try await list() }
    await node.serve(Library.LinkProvider.self) { [self] request, _ in try await link(request) }
    await node.serve(Library.SetProvider.self) { [self] request, _ in try await set(request) }
    await node.serve(Library.UnlinkProvider.self) { [self] request, _ in try await unlink(request.name) }
    await node.serve(Library.SyncProvider.self) { [self] request, _ in try await sync(request.name) }
    await node.serve(Library.ReadProviderReports.self) { [self] request, _ in try await reports(request) }
    await node.serve(Library.AnswerProvider.self) { [self] request, _ in try await answer(request) }
    await node.serve(Library.UndoRemoval.self) { [self] request, _ in try await undo(request) }
    await node.serve(Library.ListWishes.self) { [database] request, _ in
      try await database.read { try WishList.page(request, $0) }
    }
    await node.serve(Library.AddWish.self) { [self] request, _ in
      let now = now()
      let wish = try await database.write(.power) { try WishList(transaction: $0).add(request, at: now) }
      await runner.playlistsChanged()
      return wish
    }
    await node.serve(Library.RemoveWish.self) { [self] request, _ in
      try await database.write(.power) { try WishList(transaction: $0).remove(request) }
      await runner.playlistsChanged()
      return Done()
    }
  }

  private func kind(_ kind: String) -> Library.ProviderKind? { services.first { $0.kind.kind == kind }?.kind }

  /// Returns the sources whose playlists can be edited, with their kinds.
  private func editableSources() async throws -> [(detail: Library.SourceDetail, kind: Library.SourceKind)] {
    let list = try await sources()
    return list.sources.compactMap { detail in
      let kind = list.kinds?.first { $0.kind == detail.status.kind && $0.capabilities.contains(.playlistEdits) }
      return kind.map { (detail, $0) }
    }
  }

  func list() async throws -> Library.ProviderList {
    let (current, sources, now) = (await runner.current, try await editableSources(), now())
    let providers = try await database.read { transaction in
      let queries = ProviderQueries(transaction: transaction, now: now)
      return try ProviderStore.records(transaction).map {
        try queries.provider($0, kind($0.kind), isRunning: current == $0.name)
      } + sources.map { try queries.source($0.detail, $0.kind) }
    }
    return Library.ProviderList(providers: providers, kinds: services.map(\.kind))
  }

  private func provider(_ name: String) async throws -> Library.Provider {
    let (current, now) = (await runner.current, now())
    return try await database.read { transaction in
      let record = try ProviderStore.record(name, transaction)
      return try ProviderQueries(transaction: transaction, now: now).provider(
        record, kind(record.kind), isRunning: current == name)
    }
  }

  /// Links a provider. The process that a failed attempt has started is not needed unless another one is linked.
  func link(_ request: Library.LinkProvider) async throws -> Library.ProviderLinking {
    do { return try await linked(request) } catch {
      try await removeUnusedFolder()
      throw error
    }
  }

  private func removeUnusedFolder() async throws {
    guard let folder, try await database.read(ProviderStore.records).isEmpty else { return }
    folder.remove()
  }

  private func linked(_ request: Library.LinkProvider) async throws -> Library.ProviderLinking {
    guard let service = services.first(where: { $0.kind.kind == request.type }) else {
      let kinds = services.map(\.kind.kind).joined(separator: ", ")
      throw LunaraError(
        "library.unknownProvider", "\(request.type) is no kind of provider. These can be linked: \(kinds).")
    }
    let parts = try Self.checked(request.parts ?? [], service.kind)
    if let name = request.name {
      let record = try await database.read { try ProviderStore.record(name, $0) }
      guard record.kind == request.type else {
        throw LunaraError("library.badProviderSetting", "\(name) is of the kind \(record.kind), not \(request.type).")
      }
    }
    switch try await service.link(request) {
    case .open(let address): return Library.ProviderLinking(open: address)
    case .done(let account, let keep):
      let now = now()
      let name = try await database.read { transaction in
        let records = try ProviderStore.records(transaction)
        let same = records.first { $0.kind == request.type && $0.account == account && $0.address == request.address }
        return request.name ?? same?.name ?? Self.freeName(request.type, records)
      }
      try await keep(name)
      try await database.write(.power) { transaction in
        if try ProviderStore.records(transaction).contains(where: { $0.name == name }) {
          try ProviderStore.change(name, transaction) { state in
            state.pacing.signedIn(at: now)
            state.problem = nil
            for (part, way) in parts { state[part] = way }
          }
        } else {
          var state = ProviderState(pacing: ProviderPacing(linkedAt: now))
          for part in service.kind.parts { state[part.part] = parts[part.part] ?? part.way }
          try ProviderStore.removeDeletedLists(of: name, transaction)
          try ProviderStore.keep(
            ProviderRecord(
              name: name, kind: request.type, address: request.address, account: account, linkedAt: now, state: state),
            transaction)
        }
      }
      try await runner.request(name)
      return Library.ProviderLinking(provider: try await provider(name))
    }
  }

  private static func freeName(_ kind: String, _ records: [ProviderRecord]) -> String {
    let taken = Set(records.map(\.name))
    return taken.contains(kind) ? (2...).lazy.map { "\(kind)-\($0)" }.first { !taken.contains($0) } ?? kind : kind
  }

  /// Refuses ways that a kind of provider does not offer.
  private static func checked(
    _ chosen: [Library.ChosenWay], _ kind: Library.ProviderKind?
  ) throws -> [Library.SyncPart: Library.SyncWay] {
    let parts = Dictionary(chosen.map { ($0.part, $0.way) }) { _, last in last }
    for (part, way) in parts {
      let offered = kind?.parts.first { $0.part == part }
      guard let offered else {
        let names = (kind?.parts ?? []).map(\.part.rawValue).joined(separator: ", ")
        throw LunaraError(
          "library.badProviderSetting", "\(kind?.title ?? "It") has no such part. These can be kept in step: \(names).")
      }
      guard way == .off || offered.ways.contains(way) else {
        let names = (["off"] + offered.ways.map(\.rawValue)).joined(separator: ", ")
        throw LunaraError(
          "library.badProviderSetting", "\(part.rawValue) of \(kind?.title ?? "it") can be one of \(names).")
      }
    }
    return parts
  }

  func set(_ request: Library.SetProvider) async throws -> Library.Provider {
    let record = try await database.read { try ProviderStore.record(request.name, $0) }
    let parts = try Self.checked(request.parts, kind(record.kind))
    try await database.write(.power) { transaction in
      try ProviderStore.change(request.name, transaction) { state in
        for (part, way) in parts { state[part] = way }
        for id in request.leave ?? [] {
          let number = try Self.number(id, transaction)
          state.leave(number.map { "\($0)" } ?? id)
          if let number { try ProviderStore.removeList(number, of: request.name, transaction) }
        }
        for id in request.take ?? [] {
          let number = try Self.number(id, transaction)
          state.keep(number.map { "\($0)" } ?? id, isOurs: number != nil)
        }
      }
    }
    try await runner.request(request.name)
    return try await provider(request.name)
  }

  /// Returns the number of a playlist of the library itself; nil for an id of a provider.
  private static func number(_ id: String, _ transaction: ReadTransaction) throws -> Int64? {
    guard let id = PlaylistID(id), id.source == Catalogue.ownPlaylists else { return nil }
    return try Catalogue.number(of: .playlist, id, transaction)
  }

  /// Unlinks a provider, once its secrets are gone.
  func unlink(_ name: String) async throws -> Done {
    let record = try await database.read { try ProviderStore.record(name, $0) }
    try await (services.first { $0.kind.kind == record.kind } ?? services.first)?.forget(name)
    try await database.write(.power) { transaction in
      _ = try ProviderStore.record(name, transaction)
      try ProviderStore.remove(name, transaction)
    }
    try await removeUnusedFolder()
    return Done()
  }

  func sync(_ name: String) async throws -> Library.Provider {
    let record = try await database.read { try ProviderStore.record(name, $0) }
    guard !record.state.pacing.needsSignIn else {
      throw ProviderError.signedOut(kind(record.kind)?.title ?? name)
    }
    try await runner.request(name)
    return try await provider(name)
  }

  func reports(_ request: Library.ReadProviderReports) async throws -> Library.ProviderReports {
    let (source, now) = (try await editableSources().first { $0.detail.status.name == request.name }, now())
    return try await database.read { transaction in
      let queries = ProviderQueries(transaction: transaction, now: now)
      if let source { return try queries.report(of: source.detail) }
      let record = try ProviderStore.record(request.name, transaction)
      return try queries.reports(of: record, limit: request.limit, kind(record.kind))
    }
  }

  func answer(_ request: Library.AnswerProvider) async throws -> Done {
    let now = now()
    try await database.write(.power) { transaction in
      let record = try ProviderStore.record(request.name, transaction)
      let questions = try ProviderQueries(transaction: transaction, now: now).questions(of: record)
      guard questions.contains(where: { $0.id == request.question }) else {
        throw LunaraError(
          "library.unknownQuestion",
          "Nothing is asked about \(request.question). `lunara providers report \(request.name)` shows what is.")
      }
      try ProviderStore.change(request.name, transaction) {
        $0.answers[request.question] = request.removes ? .remove : .keep
      }
    }
    try await runner.request(request.name)
    return Done()
  }

  func undo(_ request: Library.UndoRemoval) async throws -> Done {
    let (hostID, roots, now) = (hostID, roots, now())
    let isDone = try await database.write(.power) { transaction -> Bool in
      let name = try ProviderStore.record(request.name, transaction).name
      for var row in try ProviderStore.lists(of: name, transaction) {
        let removal = row.state.removals.first { RemovalID($0, from: row.playlist).text == request.removal }
        guard let removal, let edit = row.state.undo(removal, at: now) else { continue }
        guard try ProviderRun.texts(of: row.playlist, transaction) != nil else { return false }
        let described = removal.entry.track.described
        let track = try TrackMatcher(roots: roots, transaction: transaction).matches(
          of: [TrackMatcher.Wanted(track: described, folder: nil)]
        ).first?.track
        _ = try PlaylistEditor(now: now, hostID: hostID, transaction: transaction).follow(
          [edit], in: row.playlist, matches: track.map { [described: $0] } ?? [:])
        try ProviderStore.keep(row, of: name, transaction)
        return true
      }
      for part in WishList.parts {
        var ledger = try ProviderStore.ledger(of: part, transaction)
        let removal = ledger.removals.first { RemovalID($0, from: part).text == request.removal }
        guard let removal, let item = ledger.undo(removal, at: now) else { continue }
        let wishes = WishList(transaction: transaction)
        try wishes.add([item], to: part, at: now)
        try wishes.update()
        try ProviderStore.keep(ledger, of: part, transaction)
        return true
      }
      return false
    }
    guard isDone else {
      throw LunaraError(
        "library.nothingToUndo",
        "This removal is no longer kept: removals can be taken back for 30 days. `lunara providers report "
          + "\(request.name)` lists them.")
    }
    await changed()
    await runner.playlistsChanged()
    return Done()
  }
}
