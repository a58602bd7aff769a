import Digests
import Messages
import Model
import Plugins
import System

/// A plugin's file as it was read.
struct PluginFile: Sendable {
  /// Its path; nil for one that was only offered.
  var path: String?
  /// The file as text, as it is given to the plugin's process.
  var text: String
  var content: AxeFile
  /// The SHA-256 of the text, as 64 hexadecimal digits.
  var digest: String

  var id: String { content.manifest.id }
  var name: String { content.manifest.name }

  /// Reads a file.
  ///
  /// - Throws: `plugin.badFile`, `internal.noDigest`.
  init(_ bytes: [UInt8], path: String? = nil) throws {
    content = try AxeFile(bytes)
    text = String(decoding: bytes, as: UTF8.self)
    digest = Hexadecimal.text(try SHA256.digest(text))
    self.path = path
  }
}

/// The folder of plugins in the household's home folder: files whose names end in `.axe`, put there by the resolver or
/// by a person. They are read and never run before a person has agreed to them.
struct PluginFolder: Sendable {
  /// The most files that are read.
  static let fileLimit = 200

  let path: String

  init(home: String) { path = "\(home)/plugins" }

  /// The contents of the folder. Of two files with the same id the one with the higher version counts.
  struct Contents: Sendable {
    var files: [PluginFile] = []
    var unusable: [Resolver.UnusableFile] = []
    /// The versions of the former files that are kept, by the plugins' ids.
    var formerVersions: [String: String] = [:]
  }

  /// A mark of names, sizes and times of the files, which changes with each change in the folder.
  func mark() throws(Errno) -> [String] {
    try names().map { name in
      let status = Files.status("\(path)/\(name)", followingLinks: true)
      return "\(name)/\(status?.size ?? 0)/\(status?.modified ?? 0)/\(status?.inode ?? 0)"
    }
  }

  /// Reads all files.
  func read() throws(Errno) -> Contents {
    var contents = Contents()
    for name in try names() {
      do {
        let bytes = try Files.read("\(path)/\(name)", limit: AxeFile.sizeLimit + 1, mustBeRegular: true)
        let file = try PluginFile(bytes, path: "\(path)/\(name)")
        if let index = contents.files.firstIndex(where: { $0.id == file.id }) {
          let other = contents.files[index]
          let isNewer = file.content.manifest.version > other.content.manifest.version
          if isNewer { contents.files[index] = file }
          let left = Files.name(of: (isNewer ? other.path : file.path) ?? name)
          contents.unusable.append(.init(file: left, error: Self.superseded(file.id)))
        } else {
          contents.files.append(file)
        }
      } catch {
        let error =
          (error as? Errno).map { LunaraError("plugin.badFile", "The file cannot be read.", cause: $0) }
          ?? LunaraError(error)
        contents.unusable.append(.init(file: name, error: error))
      }
    }
    for file in contents.files {
      contents.formerVersions[file.id] = former(file.id)?.content.manifest.version.description
    }
    return contents
  }

  /// Returns the former file of a plugin; nil if none is kept that can be used.
  func former(_ id: String) -> PluginFile? {
    let path = formerPath(id)
    guard Files.exists(path) else { return nil }
    do {
      let file = try PluginFile(try Files.read(path, limit: AxeFile.sizeLimit + 1, mustBeRegular: true))
      return file.id == id ? file : nil
    } catch {
      // One that was damaged is none.
      return nil
    }
  }

  private func formerPath(_ id: String) -> String { "\(path)/\(id).axe.former" }

  /// Stores a file under its id. A former version is kept beside it, with the ending `former`.
  func install(_ file: PluginFile, insteadOf former: PluginFile?) throws -> PluginFile {
    var file = file
    let target = "\(path)/\(file.id).axe"
    do throws(Errno) {
      try Files.makeFolder(path)
      if let former, let place = former.path, former.digest != file.digest {
        try Files.replace(formerPath(file.id), with: former.text)
        if place != target { try Files.removeFile(place) }
      }
      try Files.replace(target, with: file.text)
    } catch { throw unwritable(error) }
    file.path = target
    return file
  }

  /// Removes a plugin's file and its former version.
  func remove(_ file: PluginFile) throws {
    do throws(Errno) {
      if let path = file.path { try Files.removeFile(path) }
      let former = formerPath(file.id)
      if Files.exists(former) { try Files.removeFile(former) }
    } catch { throw unwritable(error) }
  }

  private func names() throws(Errno) -> [String] {
    guard Files.exists(path) else { return [] }
    return Array(
      try Files.names(in: path).filter { $0.hasSuffix(".axe") && !$0.hasPrefix(".") }.sorted()
        .prefix(Self.fileLimit))
  }

  private static func superseded(_ id: String) -> LunaraError {
    LunaraError(
      "plugin.badFile", "The file is no plugin that can be used: another file has the id \(id), and no lower version.")
  }

  private func unwritable(_ error: Errno) -> LunaraError {
    LunaraError(
      "resolver.folderUnwritable", "The folder \(path) cannot be written. Check its owner and its disk.", cause: error)
  }
}
