import Messages
import Model
import Plugins

/// Asking plugins for a track, and keeping what they answer.
extension SourceFinder {
  /// Returns what is known of a track, or asks the plugins.
  func find(
    _ wanted: DescribedTrack, _ plugins: [PluginRegistry.Usable], isFresh: Bool
  ) async throws -> Finding {
    let id = wanted.track.id.native
    let ids = plugins.map(\.file.id)
    // Finds of another version of a plugin are void as well.
    let mark = SourceLifetime.mark(enabled: Set(plugins.map(\.mark)), order: ids)
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
    // Former finds of plugins that failed now, or are switched off, are still known.
    let asked = Set(finding.found.map(\.source.plugin))
    let former = try await cache.read(id)?.found.filter { !asked.contains($0.source.plugin) } ?? []
    finding.found = merged(finding.found + former, id, plugins)
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
      let blocked = try await decisions.read(for: wanted).blocked
      let finding = await answers(for: wanted, plugins, blocked)
      try Task.checkCancellation()
      let failed = Set(finding.failures.map(\.plugin.id))
      let answered = Set(plugins.map(\.file.id)).subtracting(failed)
      // If all have failed, nothing is known that was not known before.
      if !answered.isEmpty { try await cache.write(finding.found, of: id, from: answered, mark: mark, at: .now()) }
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

  private func answers(
    for wanted: DescribedTrack, _ plugins: [PluginRegistry.Usable], _ blocked: Set<BlockedSource>
  ) async -> Finding {
    await withTaskGroup(of: (PluginRegistry.Usable, Result<FoundTrack?, any Error>).self) { group in
      for plugin in plugins {
        group.addTask {
          do { return (plugin, .success(try await self.answer(of: plugin, for: wanted, blocked))) } catch {
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

  /// Asks one plugin for a track: by its function `resolve`, and where that finds nothing that can be used, by a search
  /// for artist and title.
  ///
  /// - Throws: the errors of the plugin. An answer without a track while a request of the plugin failed is an error,
  ///   as it says nothing about the track.
  func answer(
    of plugin: PluginRegistry.Usable, for wanted: DescribedTrack, _ blocked: Set<BlockedSource> = []
  ) async throws -> FoundTrack? {
    let id = plugin.file.id
    return try await limited(id) {
      let failures = await plugin.runner.failedRequests
      var found: FoundTrack?
      if plugin.has("resolve") {
        let value = try await plugin.call(
          "resolve", [.text(wanted.artist), .text(wanted.title), wanted.album.map { .text($0) } ?? .null],
          within: Deadline.search)
        found = value == .null ? nil : SourceAnswers.track(value, of: id, for: wanted)
      }
      if !Self.isUsable(found, for: wanted, blocked), plugin.has("search") {
        found = try await searched(by: plugin, for: wanted, blocked, instead: found)
      }
      if found == nil { try await plugin.runner.checkRequests(since: failures) }
      return found
    }
  }

  private static func isUsable(_ found: FoundTrack?, for wanted: DescribedTrack, _ blocked: Set<BlockedSource>) -> Bool
  {
    guard let found else { return false }
    return found.source.confidence >= MatchConfidence.floor && !blocked.blocks(found.source, for: wanted)
  }

  /// Returns the best hit of a search for a track. What `resolve` gave stays where no hit can be used.
  private nonisolated func searched(
    by plugin: PluginRegistry.Usable, for wanted: DescribedTrack, _ blocked: Set<BlockedSource>,
    instead found: FoundTrack?
  ) async throws -> FoundTrack? {
    let value: PluginValue
    do {
      value = try await plugin.call("search", [.text("\(wanted.artist) \(wanted.title)")], within: Deadline.search)
    } catch {
      guard let found else { throw error }
      return found
    }
    let tracks = SourceAnswers.tracks(value, of: plugin.file.id, for: wanted, limit: 50)
    let best = TrackSource.best(of: tracks.map(\.source), for: wanted, blocked: blocked)
    let hit = tracks.first { $0.source == best }
    return Self.isUsable(hit, for: wanted, blocked) ? hit : found ?? hit
  }

  /// Runs a call of a plugin when its turn has come: within the limits of all, or within those of Apple Music. The
  /// plugins of Spotify and of local files have no limits.
  func limited<Value: Sendable>(
    _ plugin: String, _ body: @Sendable () async throws -> Value
  ) async throws -> Value {
    switch plugin {
    case "spotify", "localfiles": try await body()
    case "applemusic": try await limiters.apple.run(body)
    default: try await limiters.usual.run(body)
    }
  }
}
