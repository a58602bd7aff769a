package import Bus
import Catalogue
import Messages
import Model
package import Records
package import ServiceKit
import Storage

/// Answers requests about sources: adding and removing them, their order and their sections.
package struct SourceRequestHandler: Sendable {
  let registry: SourceRegistry
  let refresher: Refresher
  let servers: ServerFinder
  let log: Log

  package init(registry: SourceRegistry, refresher: Refresher, servers: ServerFinder, log: Log) {
    self.registry = registry
    self.refresher = refresher
    self.servers = servers
    self.log = log
  }

  package func sources() async -> [any MusicSource] {
    do { return try await registry.open() } catch {
      log.error(error)
      return []
    }
  }

  package func start(on node: Node) async {
    await node.serve(Library.Sync.self) { request, _ in
      if let name = request.source, await !refresher.has(name) { throw SourceError.unknown(name) }
      if request.isReadAgain == true { try await readAgain(request) }
      return Library.SyncStarted(
        refreshes: await refresher.request(request.source, accepting: AcceptedChanges(request)))
    }
    await node.serve(Library.ListSources.self) { _, _ in try await registry.list(refresher.statuses()) }
    await node.serve(Library.AddSource.self) { request, _ in try await add(request) }
    await node.serve(Library.RemoveSource.self) { request, _ in
      try await remove(request.name)
      return Done()
    }
    await node.serve(Library.OrderSources.self) { request, _ in
      let names = try await registry.order(request.names)
      await refresher.publishState()
      return Library.SourceOrder(names: names)
    }
    await node.serve(Library.SwitchSection.self) { request, _ in
      try await registry.switchSection(request)
      await refresher.request(request.source)
      return Done()
    }
  }

  /// Makes the refresh that follows read the tags of files again.
  private func readAgain(_ request: Library.Sync) async throws {
    if let name = request.source, name != FilesSource.name {
      throw LunaraError(
        "library.notReadAgain",
        "Only files are read again, and \(name) is a server. `lunara sync \(name)` asks it for what changed.")
    }
    let folder = request.folder.map { MusicFolders.plain($0.bytes) }
    try await registry.database.write { try Catalogue.readAgain(folder, $0) }
  }

  /// Adds a server, or renews its sign-in; or adds a folder, and scans it.
  func add(_ request: Library.AddSource) async throws -> Library.SourceAdded {
    if request.type == FilesSource.kind {
      try await registry.add(folder: request.address)
      await refresher.request(FilesSource.name)
      return Library.SourceAdded(name: FilesSource.name)
    }
    let source = try await registry.add(request)
    await replace(source)
    return Library.SourceAdded(name: source.name)
  }

  /// Removes a source and its music, or a folder, or all folders that people added. The folders that stay are scanned
  /// again.
  func remove(_ name: String) async throws {
    guard name == FilesSource.name || SourceRegistry.isFolder(name) else {
      try await registry.remove(name) { await refresher.remove($0) }
      await servers.forget(name)
      return await refresher.publishState()
    }
    do { try await registry.remove(name) { await refresher.remove($0) } } catch {
      if await !refresher.has(FilesSource.name) { await refresher.add(registry.files) }
      throw error
    }
    await refresher.add(registry.files)
    await refresher.publishState()
  }

  /// Adds an account's servers as sources of a kind, and returns the names of all that are sources now. Connects every
  /// source of the kind again, as it may have been signed out before.
  func adopt(_ servers: [AccountServer], of kind: String) async throws -> [String] {
    let known = try await registry.records().filter { $0.kind == kind }
    for record in known { await replace(try await registry.source(named: record.name)) }
    var names: [String] = []
    for server in servers {
      if let known = known.first(where: { $0.machine == server.machine }) {
        names.append(known.name)
        continue
      }
      // The account vouches for the server, so it is added even while it does not answer, and read later.
      let source = try await registry.add(
        Library.AddSource(type: kind, address: server.address), machine: server.machine)
      await replace(source)
      names.append(source.name)
    }
    return names
  }

  /// Removes the stored secret of a source, and returns true if it had one. Throws `library.unknownSource`,
  /// `library.sourceFromSettings`.
  func signOut(of name: String) async throws -> Bool {
    guard try await registry.forgetSecret(of: name) else { return false }
    await replace(try await registry.source(named: name))
    return true
  }

  func refresh(kind: String) async throws {
    for record in try await registry.records() where record.kind == kind { await refresher.request(record.name) }
  }

  private func replace(_ source: any MusicSource) async {
    await servers.forget(source.name)
    await refresher.add(source)
  }
}
