import FoundationEssentials
import Messages
import Model
import Plugins
import ServiceKit
import System

/// The plugins of the household: their files, what people agreed to, their order and settings, and their processes.
/// Only a plugin that is switched on, with a file to which a person has agreed, is ever run.
actor PluginRegistry {
  let folder: PluginFolder
  let store: PluginStore
  let accounts: PluginAccounts
  let sharing: SharingStore
  let household: HouseholdServers
  private let log: Log
  private let now: @Sendable () -> Timestamp
  private let makeRunner: @Sendable (PluginFile, PluginRegistry) -> PluginRunner
  /// Called after each change of the plugins that are used.
  let changed: @Sendable () -> Void

  private var contents = PluginFolder.Contents()
  private var mark: [String]?
  private(set) var records: [String: PluginRecord] = [:]
  var values: [String: [String: String]] = [:]
  /// The files that were offered and wait for a person.
  var offers = PluginOffers()
  private var runners: [String: (digest: String, runner: PluginRunner)] = [:]
  private var faults: [String: FaultCounter] = [:]

  init(
    folder: PluginFolder, store: PluginStore, accounts: PluginAccounts, sharing: SharingStore,
    household: HouseholdServers, log: Log,
    now: @escaping @Sendable () -> Timestamp = { .now() },
    changed: @escaping @Sendable () -> Void,
    makeRunner: @escaping @Sendable (PluginFile, PluginRegistry) -> PluginRunner
  ) {
    self.folder = folder
    self.store = store
    self.accounts = accounts
    self.log = log
    self.now = now
    self.sharing = sharing
    self.household = household
    self.changed = changed
    self.makeRunner = makeRunner
  }

  /// Reads what is kept. Must be called first.
  func start() async throws {
    records = try await store.records()
    try refresh()
    // Consents of earlier versions lack the maker and the added hosts, which can still be read from the files.
    for file in contents.files {
      guard var consent = records[file.id]?.consent, consent.agreed == nil, consent.digest == file.digest else {
        continue
      }
      consent.author = file.content.manifest.author
      consent.origin = records[file.id]?.origin
      consent.addedHosts = consent.hosts.filter { !file.content.hosts.contains($0) }
      records[file.id]?.consent = consent
    }
  }

  /// Ends all processes.
  func stop() async { for runner in runners.values { await runner.runner.stop() } }

  // MARK: - Which plugins there are

  /// Reads the folder again if it has changed. A file that has changed needs a new consent before it is run.
  func refresh() throws {
    do throws(Errno) {
      let mark = try folder.mark()
      guard mark != self.mark else { return }
      contents = try folder.read()
      self.mark = mark
    } catch {
      throw LunaraError("resolver.folderUnreadable", "The folder \(folder.path) cannot be read.", cause: error)
    }
    for (id, running) in runners where file(id)?.digest != running.digest {
      runners[id] = nil
      Task { await running.runner.stop() }
    }
    changed()
  }

  func file(_ id: String) -> PluginFile? { contents.files.first { $0.id == id } }

  /// Returns the file of a plugin.
  ///
  /// - Throws: `resolver.unknownPlugin`.
  func known(_ id: String) throws -> PluginFile {
    try refresh()
    guard let file = file(id) else { throw PluginError.unknown(id) }
    return file
  }

  private func isUsable(_ file: PluginFile) -> Bool {
    guard let record = records[file.id], record.isEnabled else { return false }
    return file.neededConsent(record.consent) == nil
  }

  /// The ids of the plugins that find music and are switched on, in their order.
  var order: [String] {
    contents.files.filter { isUsable($0) && $0.content.isResolver }.map(\.id)
      .sorted { (records[$0]?.place ?? .max, $0) < (records[$1]?.place ?? .max, $1) }
  }

  /// The ids of all plugins, in the order in which their files are read.
  var loadOrder: [String] { contents.files.map(\.id) }

  /// Returns the name of a plugin; its id for one that is not installed.
  func name(of id: String) -> String { file(id)?.name ?? id }

  /// The plugins that may be run now: first those that find music, in their order.
  func usable() async throws -> [Usable] {
    try refresh()
    let order = order
    let others = contents.files.filter { isUsable($0) && !order.contains($0.id) }.map(\.id).sorted()
    var usable: [Usable] = []
    for id in order + others { usable.append(try await self.usable(id)) }
    return usable
  }

  /// Returns the plugin that a person named, or else the first one that has a function; nil if there is none, or if the
  /// named one does not have it.
  ///
  /// - Throws: `resolver.unknownPlugin`, `resolver.consentNeeded`.
  func usable(_ id: String?, with function: String) async throws -> Usable? {
    guard let id else { return try await usable().first { $0.has(function) } }
    let plugin = try await usable(id)
    return plugin.has(function) ? plugin : nil
  }

  /// Returns a plugin that may be run now.
  ///
  /// - Throws: `resolver.unknownPlugin`, `resolver.consentNeeded`.
  func usable(_ id: String) async throws -> Usable {
    let file = try known(id)
    guard isUsable(file) else { throw PluginError.consentNeeded(file.name, id) }
    let settings = try await settings(of: id)
    let runner: PluginRunner
    if let running = runners[id], running.digest == file.digest {
      runner = running.runner
    } else {
      runner = makeRunner(file, self)
      runners[id] = (file.digest, runner)
    }
    return Usable(
      file: file, settings: config(of: file, settings), access: access(of: file, settings), runner: runner,
      accounts: accounts)
  }

  private func config(of file: PluginFile, _ settings: [String: String]) -> PluginValue {
    var config: [String: PluginValue] = [:]
    for field in file.content.settings.fields {
      if let value = settings[field.name] ?? field.fallback { config[field.name] = .text(value) }
    }
    return .object(config)
  }

  /// Returns a plugin's settings, secrets included.
  func settings(of id: String) async throws -> [String: String] {
    if let known = values[id] { return known }
    let read = try await store.settings(of: id)
    values[id] = read
    return read
  }

  /// The number of plugins that may be run.
  var enabledCount: Int { contents.files.filter { isUsable($0) }.count }

  /// Returns the number of plugins that may be run and have a function.
  func enabledCount(with function: String) -> Int {
    contents.files.count { isUsable($0) && $0.content.functions.contains(function) }
  }

  /// Looks at the folder, and notices files that were changed there.
  func look() throws { try refresh() }

  // MARK: - What people ask

  func list() async throws -> Resolver.PluginList {
    try refresh()
    let order = order
    var plugins: [Resolver.Plugin] = []
    for file in contents.files { plugins.append(try await described(file, order)) }
    plugins.sort { ($0.place ?? .max, $0.name.lowercased(), $0.id) < ($1.place ?? .max, $1.name.lowercased(), $1.id) }
    return .init(plugins: plugins, unusable: contents.unusable)
  }

  func describe(_ id: String) async throws -> Resolver.Plugin { try await described(try known(id), order) }

  func described(_ file: PluginFile, _ order: [String]) async throws -> Resolver.Plugin {
    let settings = try await settings(of: file.id)
    var plugin = file.described(
      records[file.id], place: order.firstIndex(of: file.id).map { $0 + 1 }, settings: settings,
      account: accounts.account(of: file))
    let servers = servers(of: file, settings)
    plugin.servers = servers.isEmpty ? nil : servers
    if plugin.consent != nil { plugin.consent?.inheritable = try await inheritance(of: file, from: nil).items }
    plugin.formerVersion = contents.formerVersions[file.id]
    plugin.newVersion = offers.newer(than: file)
    plugin.links = await runners[file.id]?.runner.links
    return plugin
  }

  /// Tells that somebody has signed in or out for a plugin, and describes it.
  func accountChanged(_ id: String) async throws -> Resolver.Plugin {
    changed()
    return try await describe(id)
  }

  func set(_ request: Resolver.SetPlugin) async throws -> Resolver.Plugin {
    let file = try known(request.id)
    if let settings = request.settings {
      try await set(Dictionary(settings.map { ($0.name, $0.value) }) { $1 }, of: file)
    }
    if let host = request.host { try await allow(host: host, for: file) }
    if let server = request.server { try await set(server, of: file) }
    var record = records[file.id] ?? PluginRecord(id: file.id)
    switch request.isEnabled {
    case true?:
      guard file.neededConsent(record.consent) == nil else { throw PluginError.consentNeeded(file.name, file.id) }
      return try await enable(file, record)
    case false?:
      record.isEnabled = false
      try await keep([record])
      await runners.removeValue(forKey: file.id)?.runner.stop()
    case nil: break
    }
    changed()
    return try await described(file, order)
  }

  func enable(_ file: PluginFile, _ record: PluginRecord) async throws -> Resolver.Plugin {
    var record = record
    record.isEnabled = true
    record.lastError = nil
    record.failedAt = nil
    faults[file.id] = nil
    records[file.id] = record
    try await keep([record])
    if file.content.isResolver, record.place == nil { try await set(PluginOrder.adding(file.id, to: allPlaced)) }
    changed()
    return try await described(file, order)
  }

  /// All plugins that have a place, in their order, those that are switched off included.
  private var allPlaced: [String] {
    records.values.filter { $0.place != nil }.sorted { ($0.place ?? 0, $0.id) < ($1.place ?? 0, $1.id) }.map(\.id)
  }

  /// Sets the order. Plugins that are not named follow in their former order.
  func set(_ ids: [String]) async throws {
    var order: [String] = []
    for id in ids + allPlaced where !order.contains(id) { order.append(id) }
    let changedRecords = order.enumerated().compactMap { index, id -> PluginRecord? in
      var record = records[id]
      record?.place = index
      return record
    }
    try await keep(changedRecords)
    changed()
  }

  func order(_ request: Resolver.OrderPlugins) async throws -> Resolver.PluginList {
    for id in request.ids { _ = try known(id) }
    try await set(request.ids)
    return try await list()
  }

  func remove(_ id: String) async throws -> Resolver.PluginList {
    let file = try known(id)
    await runners.removeValue(forKey: id)?.runner.stop()
    try folder.remove(file)
    try await store.remove(id)
    try await accounts.remove(id)
    records[id] = nil
    values[id] = nil
    faults[id] = nil
    mark = nil
    offers.forget(id)
    return try await list()
  }

  func keep(_ changed: [PluginRecord]) async throws {
    for record in changed { records[record.id] = record }
    var written: [PluginRecord] = []
    // Another change may have come while this one was written, and may have been written before it.
    while written != changed.compactMap({ records[$0.id] }) {
      written = changed.compactMap { records[$0.id] }
      try await store.write(written)
    }
  }

  /// Notices a file that was put into the folder or replaced there.
  func reread() throws {
    mark = nil
    try refresh()
  }

  // MARK: - What plugins do

  /// Notes that a plugin had to be ended. After three times within an hour it is switched off.
  func ended(_ id: String, _ error: LunaraError) async {
    log.warning("a plugin was ended", ["plugin": id, "reason": error.message])
    var counter = faults[id] ?? FaultCounter()
    let isOver = counter.recordFault(at: MonotonicClock.milliseconds())
    faults[id] = counter
    guard isOver, let file = file(id) else { return await failed(id, error) }
    await runners.removeValue(forKey: id)?.runner.stop()
    records[id]?.isEnabled = false
    await failed(id, PluginError.disabled(file.name, after: error))
    changed()
  }

  /// Notes that a server was refused to a plugin.
  func refused(_ id: String, _ error: LunaraError) async {
    await runners[id]?.runner.appendToLog(error.message)
    guard let file = file(id), error.code == "resolver.hostRefused" else { return await failed(id, error) }
    let named = (values[id].map { servers(of: file, $0) } ?? []).first { error.message.hasPrefix("\($0.address) ") }
    let advice = "`lunara plugins allow \(id) \(named?.address ?? "HOST")` allows \(named == nil ? "one" : "it")."
    await failed(
      id,
      LunaraError(
        error.code, "\(file.name) wanted to ask a server to which nobody has agreed. \(advice)", cause: error.message))
  }

  /// Notes the last error of a plugin.
  func failed(_ id: String, _ error: LunaraError) async {
    // The reason why it was switched off is what its person has to know.
    guard var record = records[id], record.isEnabled || error.code == "resolver.pluginDisabled" else { return }
    record.lastError = error
    record.failedAt = now()
    do { try await keep([record]) } catch { log.error(LunaraError(error)) }
  }

  /// The newest error of a plugin that was switched off after faults, or that waits for a consent; nil for none.
  var problem: LunaraError? {
    for file in contents.files {
      guard let record = records[file.id] else { continue }
      if !record.isEnabled, let error = record.lastError, error.code == "resolver.pluginDisabled" { return error }
      if record.isEnabled, file.neededConsent(record.consent) != nil {
        return PluginError.consentNeeded(file.name, file.id)
      }
    }
    return nil
  }
}
