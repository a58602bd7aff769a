import FoundationEssentials
import Messages
import Model
import Plugins

/// Files of plugins that are offered: new ones, newer versions, and the former ones.
extension PluginRegistry {
  /// Adds a part of an offered file, and describes the plugin once the file is whole.
  func offer(_ request: Resolver.OfferPlugin) async throws -> Resolver.Offer {
    guard let text = request.part, let part = Data(base64Encoded: text), request.size <= AxeFile.sizeLimit,
      request.offset == 0 || request.offset == offers.upload.count, request.offset + part.count <= request.size
    else { throw LunaraError("plugin.badFile", "The file is no plugin that can be used: it did not arrive whole.") }
    offers.upload = request.offset == 0 ? Array(part) : offers.upload + part
    guard offers.upload.count == request.size else { return .init(plugin: nil) }
    let bytes = offers.upload
    offers.upload = []
    return .init(plugin: try await offer(bytes, from: nil))
  }

  /// Remembers an offered file, and describes the plugin.
  ///
  /// - Parameter address: the address from which it came; nil if it was sent.
  func offer(_ bytes: [UInt8], from address: String?) async throws -> Resolver.Plugin {
    try refresh()
    return try await describe(offered: try PluginFile(bytes), from: address)
  }

  private func describe(offered file: PluginFile, from address: String?) async throws -> Resolver.Plugin {
    let origin = offers.add(file, from: address)
    var plugin = file.described(records[file.id], place: nil, settings: [:])
    plugin.hosts = file.content.hosts
    if plugin.consent != nil { plugin.consent?.inheritable = try await inheritance(of: file, from: origin).items }
    return plugin
  }

  /// Gives a consent, installs an offered file, and switches the plugin on. Things of the former file that this one
  /// does not take over are removed before it runs.
  ///
  /// - Throws: `resolver.unknownPlugin` if no file has this digest any more.
  func allow(_ request: Resolver.AllowPlugin) async throws -> Resolver.Plugin {
    try refresh()
    let installed = file(request.id)
    let offered = offers.find(request.id, digest: request.digest)
    guard let file = offered?.file ?? installed else { throw PluginError.unknown(request.id) }
    guard file.digest == request.digest else { throw PluginError.fileChanged(file.name) }
    let inheritance = try await inheritance(of: file, from: offered?.origin)
    if let offered {
      _ = try folder.install(offered.file, insteadOf: installed)
      offers.remove(digest: request.digest)
      try reread()
    }
    guard try known(request.id).digest == request.digest else { throw PluginError.fileChanged(file.name) }
    let taken = Set(request.inherits ?? [])
    try await forget(inheritance.items.filter { !taken.contains($0.key) }, of: request.id)
    var record = records[file.id] ?? PluginRecord(id: file.id)
    let isSameFile = record.consent?.digest == file.digest
    record.consent = inheritance.consent(to: file, after: record.consent, origin: offered?.origin, taking: taken)
    let former = offered == nil || isSameFile ? record.origin : nil
    record.origin = isSameFile ? former ?? offered?.origin : offered?.origin ?? former
    return try await enable(try known(request.id), record)
  }

  // MARK: - Other versions

  /// Describes the plugins of a list, and remembers that newer versions of them are looked for there.
  func offer(_ listing: PluginListing, at address: String) throws -> [Resolver.ListedPlugin] {
    try refresh()
    offers.add(listing.entries.map(\.address), in: address)
    return listing.entries.map { entry in
      .init(
        id: entry.id, version: entry.version, address: entry.address,
        installed: file(entry.id)?.content.manifest.version.description)
    }
  }

  /// An installed plugin, and the address where newer versions of it are looked for.
  struct Installed: Sendable {
    var file: PluginFile
    var origin: String?

    var name: Resolver.PluginName { .init(id: file.id, name: file.name) }
  }

  /// Returns the plugins of which newer versions are to be looked for: one, or all.
  ///
  /// - Throws: `resolver.unknownPlugin`; `resolver.noOrigin` for one plugin whose address is not known.
  func installed(_ id: String?) throws -> [Installed] {
    try refresh()
    guard let id else { return loadOrder.compactMap(file).map { Installed(file: $0, origin: records[$0.id]?.origin) } }
    let file = try known(id)
    guard let origin = records[id]?.origin else {
      throw LunaraError(
        "resolver.noOrigin",
        "\(file.name) was added from a file, so it is not known where newer versions are. `lunara plugins add` with an address says so."
      )
    }
    return [Installed(file: file, origin: origin)]
  }

  /// Offers another version of an installed plugin; nil if it is not newer.
  ///
  /// - Throws: `plugin.badFile`, also for another plugin.
  func offer(_ bytes: [UInt8], of installed: Installed) async throws -> Resolver.Plugin? {
    let file = try PluginFile(bytes)
    guard file.id == installed.file.id else {
      throw LunaraError(
        "plugin.badFile", "The file is no plugin that can be used: it is \(file.id), and not \(installed.file.id).")
    }
    guard file.digest != installed.file.digest,
      file.content.manifest.version >= installed.file.content.manifest.version
    else { return nil }
    try refresh()
    return try await describe(offered: file, from: installed.origin)
  }

  /// Offers the former version of a plugin.
  ///
  /// - Throws: `resolver.unknownPlugin`, `resolver.noFormerVersion`.
  func offerFormer(_ id: String) async throws -> Resolver.Offer {
    let file = try known(id)
    guard let former = folder.former(id) else {
      throw LunaraError("resolver.noFormerVersion", "No former version of \(file.name) is kept.")
    }
    return .init(plugin: try await describe(offered: former, from: records[id]?.origin))
  }
}
