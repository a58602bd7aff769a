import Messages
public import Model

/// A plugin's file, whose name ends in `.axe`: one JSON object with what the plugin says of itself, and its functions
/// as texts in JavaScript. It is read without running any of it.
public struct AxeFile: Hashable, Sendable {
  /// The most bytes of a file.
  public static let sizeLimit = 1 << 20

  /// The plugin's description of itself.
  public var manifest: PluginManifest
  /// The names of the capabilities that it claims, sorted. They are advice: what a plugin really has are its functions.
  public var capabilities: [String]
  /// The account and the settings that it needs.
  public var settings: PluginSettings
  /// The addresses that it opens, in its order.
  public var urlPatterns: [URLPattern]
  /// The names of its functions, in its order. Whether they compile is known when they are loaded.
  public var functions: [String]
  /// The hosts that it may ask, in lower case and sorted: those of its manifest, or else those of the https addresses
  /// in its code and of its patterns. `*.example.org` stands for all hosts below one.
  public var hosts: [String]

  /// Reads a file.
  ///
  /// - Throws: `plugin.badFile`, which says what is wrong with it.
  public init(_ bytes: [UInt8]) throws(LunaraError) {
    guard bytes.count <= Self.sizeLimit else { throw Self.refused("it is larger than 1 MiB") }
    let plain = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
    guard let file = JSONView(plain), file.isObject else { throw Self.refused("it is not a JSON object") }
    guard let manifest = file["manifest"], manifest.isObject else { throw Self.refused("it has no manifest") }
    self.manifest = try PluginManifest(manifest)
    capabilities = (file["capabilities"]?.members ?? []).filter(\.value.isTrue).map(\.name)
      .filter(Self.knownCapabilities.contains).sorted()
    settings = PluginSettings(file["settings"])
    if self.manifest.id == "applemusic" { settings.addAppleMusic() }
    let patterns = (file["urlPatterns"]?.elements ?? []).compactMap(\.string).prefix(Self.patternLimit)
    urlPatterns = patterns.map { URLPattern($0) }
    let code = (file["implementation"]?.members ?? []).compactMap { member in
      member.value.string.map { (name: member.name, text: $0) }
    }
    functions = code.map(\.name).filter { !Self.skippedNames.contains($0) }
    hosts =
      self.manifest.hosts
      ?? PluginHosts.sorted(
        code.flatMap { PluginHosts.named(in: $0.text) } + patterns.compactMap(PluginHosts.of(pattern:)))
  }

  /// True if the plugin finds or plays music, and not only serves something beside it.
  public var isResolver: Bool { manifest.kind == .resolver && functions.contains { $0 == "resolve" || $0 == "play" } }

  private static func refused(_ reason: String) -> LunaraError { PluginManifest.refused(reason) }

  /// The most patterns that are read of a file.
  private static let patternLimit = 200

  private static let knownCapabilities: Set = [
    "resolve", "search", "stream", "browse", "urlLookup", "purchase", "metadata", "biography", "artistImages",
    "recommendations", "listeningHistory", "scrobbling", "generate", "chat", "concerts", "playbackTelemetry",
  ]

  /// The members of an implementation that are no functions of the plugin: the names of what its `this` has besides
  /// them, and those that reach into the engine.
  public static let skippedNames: Set = [
    "__proto__", "constructor", "prototype", "id", "name", "version", "author", "description", "icon", "color",
    "homepage", "email", "capabilities", "urlPatterns", "requiresAuth", "authType", "configurable", "enabled", "weight",
    "config", "_bindContext",
  ]
}
