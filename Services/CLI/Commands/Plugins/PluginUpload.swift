import Bus
import Client
import FoundationEssentials
import Messages
import Model
import ServiceKit
import System

/// Sends the file of a plugin to the resolver, which may run on another machine.
enum PluginUpload {
  /// Returns the files that a person names: those of a folder whose names end in `.axe`, or the file or address itself.
  ///
  /// - Throws: `plugin.badFile` for a folder without one.
  static func files(at name: String) throws -> [String] {
    guard Files.status(name, followingLinks: true)?.kind == .folder else { return [name] }
    let names: [String]
    do throws(Errno) { names = try Files.names(in: name) } catch {
      throw LunaraError("plugin.badFile", "\(name) cannot be read. Check the name and its mode.", cause: error)
    }
    // Opening a pipe would block.
    let files = names.filter { $0.hasSuffix(".axe") && !$0.hasPrefix(".") }.sorted().map { "\(name)/\($0)" }
      .filter { Files.status($0, followingLinks: true)?.kind == .regular }
    guard !files.isEmpty else { throw LunaraError("plugin.badFile", "\(name) has no file whose name ends in .axe.") }
    return files
  }

  /// Reads a plugin's file.
  ///
  /// - Throws: `plugin.badFile`.
  static func read(_ path: String) throws -> [UInt8] {
    do throws(Errno) { return try Files.read(path, limit: 1 << 20) } catch {
      if error == .fileTooLarge {
        throw LunaraError("plugin.badFile", "The file is no plugin that can be used: it is larger than 1 MiB.")
      }
      throw LunaraError("plugin.badFile", "\(path) cannot be read. Check the name and its mode.", cause: error)
    }
  }
}

extension Client {
  /// Connects to the household.
  ///
  /// - Throws: `resolver.noPlugins` if it uses no plugins.
  static func withPlugins(_ context: Context) async throws -> Client {
    let client = try await Client(context)
    try client.requireResolver()
    return client
  }

  /// Checks that the household uses plugins.
  ///
  /// - Throws: `resolver.noPlugins`.
  func requireResolver() throws {
    guard !nodes().contains(.resolver) else { return }
    throw LunaraError("resolver.noPlugins", "This household has no plugins. `lunara plugins add FILE` adds one.")
  }

  /// Offers a file in parts.
  func offer(_ bytes: [UInt8]) async throws -> Resolver.Plugin? {
    var (offset, plugin) = (0, nil as Resolver.Plugin?)
    repeat {
      let part = bytes[offset..<min(bytes.count, offset + Resolver.OfferPlugin.partBytes)]
      let request = Resolver.OfferPlugin(part: Data(part).base64EncodedString(), offset: offset, size: bytes.count)
      plugin = try await ask(request).plugin
      offset += part.count
    } while offset < bytes.count
    return plugin
  }

  /// Connects to the household, and has it start its resolver where none runs: that happens once there is a folder of
  /// plugins in its home folder.
  ///
  /// - Throws: `cli.noResolver` if none has started.
  static func startingResolver(_ context: Context) async throws -> Client {
    try await starting(.resolver, context) { home in
      do throws(Errno) { try makeMark("\(home)/plugins", in: home) } catch { throw noResolver(home, error) }
    } notStarted: {
      noResolver($0, nil)
    }
  }

  private static func noResolver(_ home: String, _ error: Errno?) -> LunaraError {
    LunaraError(
      "cli.noResolver",
      "lunara-resolver does not run. The household starts it once there is the folder \(home)/plugins on the machine with its library; make that folder there (`sudo -u lunara mkdir \(home)/plugins` where Lunara runs as services of the system), or see that lunara-resolver is installed.",
      cause: error?.text)
  }
}
