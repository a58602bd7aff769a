import Messages
import Model
import Plugins

/// The files that were offered, until a person agrees to them.
struct PluginOffers: Sendable {
  /// A file, and the address where newer ones of it are looked for.
  struct Offered: Sendable {
    var file: PluginFile
    var origin: String?
  }

  /// The most offered files that are remembered.
  private static let fileLimit = 64
  /// The most addresses of a list.
  private static let addressLimit = 500

  private var files: [Offered] = []
  /// The lists in which the addresses of files were found.
  private var lists: [String: String] = [:]
  /// The parts of a file that is being sent.
  var upload: [UInt8] = []

  /// Remembers a file. Returns the address where newer ones of it are looked for.
  ///
  /// - Parameter address: the address from which it came; that of its list counts where it was found in one.
  mutating func add(_ file: PluginFile, from address: String?) -> String? {
    let origin = address.map { lists[$0] ?? $0 }
    files.removeAll { $0.file.digest == file.digest }
    files.append(Offered(file: file, origin: origin))
    if files.count > Self.fileLimit { files.removeFirst() }
    return origin
  }

  /// Remembers that addresses of files were found in a list.
  mutating func add(_ addresses: [String], in list: String) {
    if lists.count >= Self.addressLimit { lists = [:] }
    for address in addresses.prefix(Self.addressLimit) { lists[address] = list }
  }

  /// Returns the list in which an address was found; nil for none.
  func list(of address: String) -> String? { lists[address] }

  /// Returns an offered file; nil for none.
  func find(_ id: String, digest: String) -> Offered? { files.first { $0.file.id == id && $0.file.digest == digest } }

  mutating func remove(digest: String) { files.removeAll { $0.file.digest == digest } }

  /// Forgets all files of a plugin.
  mutating func forget(_ id: String) { files.removeAll { $0.file.id == id } }

  /// Returns the version of an offered file that is newer than one; nil for none.
  func newer(than file: PluginFile) -> String? {
    let version = file.content.manifest.version
    return files.filter { $0.file.id == file.id && $0.file.content.manifest.version > version }
      .max { $0.file.content.manifest.version < $1.file.content.manifest.version }?.file.content.manifest.version
      .description
  }
}

/// A list of plugins as somebody publishes it: `{"plugins": [{"id", "version", "downloadUrl"}]}`.
struct PluginListing: Sendable {
  /// The most plugins that are read.
  private static let limit = 200

  struct Entry: Sendable {
    var id: String
    var version: String
    /// The https address of the file.
    var address: String
  }

  var entries: [Entry]

  /// Reads a list; nil for a file that is none.
  init?(_ bytes: [UInt8]) {
    guard let json = JSONView(bytes), json["manifest"] == nil, let plugins = json["plugins"], plugins.kind == .array
    else { return nil }
    entries = plugins.elements.prefix(Self.limit).compactMap { one in
      guard let id = one["id"]?.string, PluginManifest.isID(id),
        let address = SourceAnswers.address(one["downloadUrl"]?.string.map { .text($0) })
      else { return nil }
      let version = one["version"]?.string.flatMap { PluginManifest.cleaned($0, 40) } ?? "0"
      return Entry(id: id, version: version, address: address)
    }
  }
}
