import HTTP
import Messages
import Model
import Plugins
import ServiceKit
import System
import Text

/// Finds the places where described tracks can sound: asks the plugins, keeps what they found, ranks it, and gives
/// rooms an address.
actor SourceFinder {
  /// The deadlines of calls.
  enum Deadline {
    static let search = Duration.seconds(10)
    static let lookup = Duration.seconds(15)
    static let playlist = Duration.seconds(60)
  }

  /// The tracks that plugins found for a wanted one, and the plugins that failed.
  struct Finding: Sendable {
    var found: [FoundTrack]
    var failures: [Resolver.PluginFailure] = []
  }

  private struct Stream {
    var address: StreamAddress
    var foundAt: Milliseconds
  }

  /// The key of the answer that a plugin's file gave for a track.
  private struct Key: Hashable {
    var track: String
    var file: String

    init(_ track: String, _ plugin: PluginRegistry.Usable) { (self.track, file) = (track, plugin.file.digest) }
  }

  /// Plugins that are being asked for a track, for everybody who waits for the answer.
  private struct Asking {
    var number: Int
    var task: Task<Finding, any Error>
    var waiting = 0
  }

  /// The plugins that have limits of their own.
  private static let ownLimits: Set = ["localfiles", "spotify", "applemusic"]
  /// The most addresses and hits of searches that are remembered.
  private static let memoryLimit = 5000
  /// The shortest time for which an address has to hold.
  private static let margin = Milliseconds(10_000)
  private static let searchLifetime = Milliseconds(300_000)

  private let registry: PluginRegistry
  private let cache: SourceCache
  private let decisions: SourceDecisions
  private let log: Log
  private let limiters = (usual: CallLimiter(.usual), own: CallLimiter(.own))
  private var asking: [String: Asking] = [:]
  private var lastAsking = 0
  private var streams: [Key: Stream] = [:]
  private var hits: [Key: FoundTrack] = [:]
  private var searches: [String: (hits: Resolver.SearchHits, at: Milliseconds)] = [:]
  /// The plugins whose function `play` gave nothing that a room can play.
  private var linkOnly: Set<String> = []

  init(registry: PluginRegistry, cache: SourceCache, decisions: SourceDecisions, log: Log) {
    (self.registry, self.cache, self.decisions, self.log) = (registry, cache, decisions, log)
  }

  // MARK: - Sources

  /// Returns the ranked sources of a track.
  func sources(of wanted: DescribedTrack, isFresh: Bool = false) async throws -> Resolver.SourceList {
    let plugins = try await resolvers()
    let finding = try await find(wanted, plugins, isFresh: isFresh)
    let ranked = try await rank(finding.found, for: wanted, plugins)
    let sources = ranked.map { one, found in
      let plugin = plugins.first { $0.file.id == one.source.plugin }
      return Resolver.Source(
        plugin: plugin?.name ?? .init(id: one.source.plugin, name: one.source.plugin),
        color: plugin?.file.content.manifest.color ?? "#888888",
        kind: found.isStream || plugin?.has("play") == true && !linkOnly.contains(one.source.plugin) ? .stream : .link,
        confidence: one.source.confidence, rank: one.rank, reason: one.reason.rawValue, title: one.source.title,
        artist: one.source.artist, album: one.source.album, duration: one.source.duration, cover: one.source.cover,
        url: found.page, sourceID: one.source.sourceID)
    }
    return .init(sources: sources, failures: finding.failures)
  }

  /// Stores a decision of a person, and returns the sources afterwards.
  func decide(_ request: Resolver.DecideSource) async throws -> Resolver.SourceList {
    try await decisions.decide(request)
    return try await sources(of: request.described)
  }

  private func resolvers() async throws -> [PluginRegistry.Usable] {
    let plugins = try await registry.usable().filter(\.file.content.isResolver)
    guard !plugins.isEmpty else {
      throw LunaraError(
        "resolver.noPlugins",
        "No plugin that finds music is switched on. `lunara plugins` lists those that are installed.")
    }
    return plugins
  }

  private func rank(
    _ found: [FoundTrack], for wanted: DescribedTrack, _ plugins: [PluginRegistry.Usable]
  ) async throws -> [(SourceChoice.Ranked, FoundTrack)] {
    let decided = try await decisions.read(for: wanted)
    let ids = plugins.map(\.file.id)
    let choice = SourceChoice(enabled: Set(ids), order: ids, blocked: decided.blocked)
    return choice.rank(found.map(\.source), for: wanted, preferred: decided.preferred).compactMap { ranked in
      found.first { $0.source == ranked.source }.map { (ranked, $0) }
    }
  }

  /// Returns what is known of a track, or asks the plugins.
  private func find(
    _ wanted: DescribedTrack, _ plugins: [PluginRegistry.Usable], isFresh: Bool
  ) async throws -> Finding {
    let id = wanted.track.id.native
    let ids = plugins.map(\.file.id)
    // What another version of a plugin found is void as well.
    let mark = SourceLifetime.mark(enabled: Set(plugins.map { "\($0.file.id)/\($0.file.digest)" }), order: ids)
    if !isFresh, let known = try await cache.read(id) {
      let age = Timestamp.now() - known.askedAt
      switch SourceLifetime.state(age: age, isKept: false, asked: known.mark, now: mark) {
      case .fresh: return Finding(found: merged(known.found, id, plugins))
      case .aging:
        // Nobody waits for it: what is known is used meanwhile.
        Task { _ = try await ask(wanted, plugins, mark) }
        return Finding(found: merged(known.found, id, plugins))
      case .void: break
      }
    }
    var finding = try await ask(wanted, plugins, mark)
    finding.found = merged(finding.found, id, plugins)
    return finding
  }

  /// Adds the hits of searches to what was found, for plugins that found nothing.
  private func merged(
    _ found: [FoundTrack], _ track: String, _ plugins: [PluginRegistry.Usable]
  ) -> [FoundTrack] {
    let known = Set(found.map(\.source.plugin))
    return found + plugins.filter { !known.contains($0.file.id) }.compactMap { hits[Key(track, $0)] }
  }

  /// Asks all plugins for a track at the same time. Two requests for one track ask once; the plugins are no longer
  /// asked when all of them are cancelled.
  private func ask(
    _ wanted: DescribedTrack, _ plugins: [PluginRegistry.Usable], _ mark: UInt64
  ) async throws -> Finding {
    let id = wanted.track.id.native
    let asking = asking[id] ?? begin(wanted, plugins, mark)
    self.asking[id]?.waiting += 1
    return try await withTaskCancellationHandler {
      try await asking.task.value
    } onCancel: {
      Task { await self.stopWaiting(for: id, asking.number) }
    }
  }

  private func stopWaiting(for id: String, _ number: Int) {
    guard let known = asking[id], known.number == number else { return }
    asking[id]?.waiting -= 1
    guard known.waiting == 1 else { return }
    known.task.cancel()
    asking[id] = nil
  }

  private func begin(_ wanted: DescribedTrack, _ plugins: [PluginRegistry.Usable], _ mark: UInt64) -> Asking {
    let id = wanted.track.id.native
    lastAsking += 1
    let number = lastAsking
    let task = Task {
      defer { if asking[id]?.number == number { asking[id] = nil } }
      let finding = await answers(for: wanted, plugins)
      try Task.checkCancellation()
      let failed = Set(finding.failures.map(\.plugin.id))
      // Where all have failed, nothing is known that was not known before.
      if failed.count < plugins.count {
        try await cache.write(finding.found, of: id, keeping: failed, mark: mark, at: .now())
      }
      for plugin in plugins {
        let found = finding.found.first { $0.source.plugin == plugin.file.id }
        if let stream = found?.stream { remember(stream, Key(id, plugin)) }
      }
      return finding
    }
    let begun = Asking(number: number, task: task)
    asking[id] = begun
    return begun
  }

  private func answers(for wanted: DescribedTrack, _ plugins: [PluginRegistry.Usable]) async -> Finding {
    await withTaskGroup(of: (PluginRegistry.Usable, Result<FoundTrack?, any Error>).self) { group in
      for plugin in plugins {
        group.addTask {
          do { return (plugin, .success(try await self.answer(of: plugin, for: wanted))) } catch {
            return (plugin, .failure(error))
          }
        }
      }
      var finding = Finding(found: [])
      for await (plugin, result) in group {
        switch result {
        case .success(let found): if let found { finding.found.append(found) }
        case .failure(is CancellationError): break
        case .failure(let error):
          let error = LunaraError(error)
          finding.failures.append(.init(plugin: plugin.name, error: error))
          await registry.failed(plugin.file.id, error)
        }
      }
      return finding
    }
  }

  /// Asks one plugin for a track: by its function `resolve`, or by a search.
  private func answer(of plugin: PluginRegistry.Usable, for wanted: DescribedTrack) async throws -> FoundTrack? {
    let id = plugin.file.id
    return try await limiter(of: id).run {
      if plugin.has("resolve") {
        let value = try await plugin.call(
          "resolve", [.text(wanted.artist), .text(wanted.title), wanted.album.map { .text($0) } ?? .null],
          within: Deadline.search)
        return value == .null ? nil : SourceAnswers.track(value, of: id, for: wanted)
      }
      guard plugin.has("search") else { return nil }
      let value = try await plugin.call("search", [.text("\(wanted.artist) \(wanted.title)")], within: Deadline.search)
      let tracks = SourceAnswers.tracks(value, of: id, for: wanted, limit: 50)
      let best = TrackSource.best(of: tracks.map(\.source), for: wanted)
      return tracks.first { $0.source == best }
    }
  }

  private func limiter(of plugin: String) -> CallLimiter {
    Self.ownLimits.contains(plugin) ? limiters.own : limiters.usual
  }

  // MARK: - Addresses

  /// Returns an address at which a room can play a track: that of the first source which gives one.
  ///
  /// - Throws: `resolver.noPlugins`, `resolver.notFound`.
  func locate(_ request: Resolver.Locate) async throws -> Library.Locator {
    let wanted = request.described
    let plugins = try await resolvers()
    let finding = try await find(wanted, plugins, isFresh: false)
    let ranked = try await rank(finding.found, for: wanted, plugins).filter { $0.0.rank != nil }
    let failedBefore = request.failed ?? []
    var insteadOf = failedBefore.last.map { id in plugins.first { $0.file.id == id }?.file.name ?? id }
    var failures = finding.failures.map { "\($0.plugin.name): \($0.error.message)" }
    // An address that a plugin gave earlier may no longer hold: it is asked again, after the others, and once.
    let again = plugins.filter { plugin in failedBefore.count { $0 == plugin.file.id } == 1 }
    for plugin in again { streams[Key(wanted.track.id.native, plugin)] = nil }
    let candidates =
      ranked.filter { !failedBefore.contains($0.0.source.plugin) }
      + ranked.filter { one, _ in again.contains { $0.file.id == one.source.plugin } }
    for (one, found) in candidates {
      guard let plugin = plugins.first(where: { $0.file.id == one.source.plugin }) else { continue }
      do {
        let stream = try await stream(of: found, wanted, plugin)
        let isPublic = try isPublic(stream.address, plugin)
        let left = stream.address.expiresIn.map { $0 - (MonotonicClock.milliseconds() - stream.foundAt) }
        return .url(
          stream.address.url, headers: stream.address.headers, expiresIn: left,
          plugin: .init(
            id: plugin.file.id, name: plugin.file.name,
            insteadOf: insteadOf == plugin.file.name ? nil : insteadOf, isPublic: isPublic))
      } catch {
        let error = LunaraError(error)
        failures.append("\(plugin.file.name): \(error.message)")
        insteadOf = insteadOf ?? plugin.file.name
        if error.code != "resolver.linkOnly" { await registry.failed(plugin.file.id, error) }
      }
    }
    throw LunaraError(
      "resolver.notFound",
      "No plugin can play “\(wanted.title)” by \(wanted.artist). Asked were \(plugins.map(\.file.name).joined(separator: ", ")).",
      cause: failures.isEmpty ? nil : failures.joined(separator: " "))
  }

  /// Returns the address of what a plugin found: the one that is known while it holds, what the plugin's `play` gives,
  /// or what it finds now.
  private func stream(
    of found: FoundTrack, _ wanted: DescribedTrack, _ plugin: PluginRegistry.Usable
  ) async throws -> Stream {
    let key = Key(wanted.track.id.native, plugin)
    let now = MonotonicClock.milliseconds()
    if let known = streams[key], known.address.expiresIn.map({ known.foundAt + $0 > now + Self.margin }) ?? true {
      return known
    }
    if plugin.has("play") {
      let value = try await plugin.call("play", [found.own], within: Deadline.lookup)
      if let stream = SourceAnswers.stream(value) { return remember(stream, key) }
    } else if let stream = try await answer(of: plugin, for: wanted)?.stream {
      return remember(stream, key)
    }
    if plugin.has("play") { linkOnly.insert(plugin.file.id) }
    throw LunaraError(
      "resolver.linkOnly", "\(plugin.file.name) gives no address that a room can play, only a page to open.")
  }

  /// Returns true for an address that may be read at public servers only, and false for a server whose address a person
  /// typed.
  private func isPublic(_ stream: StreamAddress, _ plugin: PluginRegistry.Usable) throws -> Bool {
    guard let origin = Origin(stream.url) else { throw PluginError.badAnswer(plugin.file.name, "it is no address") }
    if plugin.access.origins.contains(origin) { return false }
    guard origin.scheme == "https" else {
      throw PluginError.badAnswer(plugin.file.name, "the address of its music is not encrypted")
    }
    return true
  }

  @discardableResult private func remember(_ address: StreamAddress, _ key: Key) -> Stream {
    if streams.count >= Self.memoryLimit { streams = [:] }
    let stream = Stream(address: address, foundAt: MonotonicClock.milliseconds())
    streams[key] = stream
    return stream
  }

  // MARK: - Searches

  /// Searches by one plugin. The hits are kept for five minutes, and can be queued as described tracks.
  func search(_ request: Resolver.Search) async throws -> Resolver.SearchHits {
    let plugin = try await registry.usable(request.plugin)
    let words = request.words.trimmed
    guard !words.isEmpty, words.utf8.count <= 500 else {
      throw LunaraError("resolver.badSearch", "A search has 1 to 500 letters.")
    }
    let key = "\(plugin.file.id) \(words)"
    let now = MonotonicClock.milliseconds()
    if let known = searches[key], known.at + Self.searchLifetime > now { return known.hits }
    guard plugin.has("search") else { return .init(plugin: plugin.name, tracks: []) }
    let value: PluginValue
    do {
      value = try await limiter(of: plugin.file.id).run {
        try await plugin.call("search", [.text(words)], within: Deadline.search)
      }
    } catch {
      await registry.failed(plugin.file.id, LunaraError(error))
      throw error
    }
    let tracks = SourceAnswers.tracks(value, of: plugin.file.id, limit: 50)
    let hits = Resolver.SearchHits(plugin: plugin.name, tracks: described(tracks, of: plugin))
    if searches.count >= 200 { searches = [:] }
    searches[key] = (hits, now)
    return hits
  }

  /// Opens an address: the plugin whose pattern fits first looks it up.
  func open(_ request: Resolver.OpenAddress) async throws -> Resolver.OpenedAddress {
    let address = request.address.trimmed
    let plugins = try await registry.usable()
    guard address.utf8.count <= 2000, let plugin = plugins.first(where: { $0.opens(address) }) else {
      throw LunaraError(
        "resolver.unknownAddress", "No plugin that is switched on opens this address. `lunara plugins` lists them.")
    }
    let opened = try await AddressLookup(plugin: plugin, address: address).run()
    let tracks = described(opened.tracks, of: plugin)
    return .init(plugin: plugin.name, kind: opened.kind, title: opened.title, artist: opened.artist, tracks: tracks)
  }

  /// Returns tracks as descriptions, and remembers what the plugin found.
  private func described(_ tracks: [FoundTrack], of plugin: PluginRegistry.Usable) -> [DescribedTrack] {
    tracks.filter { !$0.source.artist.isEmpty }.map { found in
      let described = found.described
      let key = Key(described.track.id.native, plugin)
      if hits.count >= Self.memoryLimit { hits = [:] }
      var hit = found
      hit.source.confidence = MatchConfidence.fitting
      hits[key] = hit
      if let stream = found.stream { remember(stream, key) }
      return described
    }
  }
}
