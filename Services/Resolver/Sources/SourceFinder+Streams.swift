import HTTP
import Messages
import Model
import Plugins
import System

/// The addresses at which tracks sound.
extension SourceFinder {
  /// The shortest time for which an address has to hold.
  private static let margin = Milliseconds(10_000)

  /// Returns an address at which a room can play a track: that of the first source which gives one.
  ///
  /// - Throws: `resolver.noPlugins`, `resolver.notFound`, `resolver.noEnabledSource`, `resolver.noPreview`.
  func locate(_ request: Resolver.Locate) async throws -> Library.Locator {
    let wanted = request.described
    let plugins = try await resolvers()
    let finding = try await find(wanted, plugins, isFresh: false)
    let all = try await rank(finding.found, for: wanted, plugins)
    let failedBefore = request.failed ?? []
    if wanted.choice?.wantsPreview == true { return try preview(of: wanted, all, plugins, failed: failedBefore) }
    let ranked = all.filter { $0.0.rank != nil }
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
    if ranked.isEmpty, let off = all.first(where: { $0.0.reason == .disabled && $0.0.isConfident })?.0.source.plugin {
      throw LunaraError(
        "resolver.noEnabledSource",
        "\(Byline.quoted(wanted.title, wanted.artist)) is found by \(await registry.name(of: off)) only, which is switched off. `lunara plugins on \(off)` switches it on."
      )
    }
    throw LunaraError(
      "resolver.notFound",
      "No plugin can play \(Byline.quoted(wanted.title, wanted.artist)). Asked were \(plugins.map(\.file.name).joined(separator: ", ")).",
      cause: failures.isEmpty ? nil : failures.joined(separator: " "))
  }

  /// Returns the address of a preview, which a person asked for: that of the chosen plugin, or the first one.
  private func preview(
    of wanted: DescribedTrack, _ ranked: [(SourceChoice.Ranked, FoundTrack)], _ plugins: [PluginRegistry.Usable],
    failed: [String]
  ) throws -> Library.Locator {
    let chosen = wanted.choice?.plugin
    for (one, found) in ranked where chosen == nil ? one.rank != nil : one.source.plugin == chosen {
      guard let address = found.preview, !failed.contains(one.source.plugin),
        let plugin = plugins.first(where: { $0.file.id == one.source.plugin })
      else { continue }
      let isPublic = try isPublic(address, plugin)
      return .url(
        address.url, headers: [:],
        plugin: .init(id: plugin.file.id, name: plugin.file.name, isPublic: isPublic, isPreview: true))
    }
    throw LunaraError(
      "resolver.noPreview", "There is no preview of \(Byline.quoted(wanted.title, wanted.artist)) that can be played.")
  }

  /// Returns the address of what a plugin found: the one that is known while it holds, what the plugin's `play` gives,
  /// what it finds now, or what is read from its page.
  private func stream(
    of found: FoundTrack, _ wanted: DescribedTrack, _ plugin: PluginRegistry.Usable
  ) async throws -> Stream {
    let key = Key(wanted.track.id.native, plugin)
    let now = MonotonicClock.milliseconds()
    if let known = streams[key], known.address.expiresIn.map({ known.foundAt + $0 > now + Self.margin }) ?? true {
      return known
    }
    if let stream = try await soundCloud.stream(of: found, by: plugin) { return remember(stream, key) }
    let page = pageReader == nil ? nil : found.readablePage
    do {
      if let stream = try await ownStream(of: found, wanted, plugin) { return remember(stream, key) }
    } catch {
      // The page may have it all the same.
      if page == nil { throw error }
    }
    if let pageReader, let page { return remember(try await pageReader.stream(of: page), key) }
    if plugin.has("play") { linkOnly.insert(plugin.file.id) }
    throw LunaraError(
      "resolver.linkOnly", "\(plugin.file.name) gives no address that a room can play, only a page to open.")
  }

  /// Returns the address that the plugin itself gives; nil for none.
  private func ownStream(
    of found: FoundTrack, _ wanted: DescribedTrack, _ plugin: PluginRegistry.Usable
  ) async throws -> StreamAddress? {
    if plugin.has("play") {
      return SourceAnswers.stream(try await plugin.call("play", [found.own], within: Deadline.lookup))
    }
    return found.isStream ? try await answer(of: plugin, for: wanted)?.stream : nil
  }

  /// Returns true for an address that may be read at public servers only, and false for a server of the plugin's
  /// settings that a person allowed.
  private func isPublic(_ stream: StreamAddress, _ plugin: PluginRegistry.Usable) throws -> Bool {
    guard let origin = Origin(stream.url) else { throw PluginError.badAnswer(plugin.file.name, "it is no address") }
    guard !registry.household.contains(origin) else { throw HouseholdServers.refusal(of: origin.address) }
    if plugin.access.origins.contains(origin) { return false }
    guard origin.scheme == "https" else {
      throw PluginError.badAnswer(plugin.file.name, "the address of its music is not encrypted")
    }
    return true
  }

  @discardableResult func remember(_ address: StreamAddress, _ key: Key) -> Stream {
    if streams.count >= Self.memoryLimit { streams = [:] }
    let stream = Stream(address: address, foundAt: MonotonicClock.milliseconds())
    streams[key] = stream
    return stream
  }
}

extension SourceChoice.Ranked {
  /// True if the source is probably the wanted track.
  fileprivate var isConfident: Bool { source.confidence >= MatchConfidence.floor }
}
