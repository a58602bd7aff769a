import Client
import Glibc
import Model
import System

/// The files of the page. Their names and tags are read at the start; their bytes are read each time that they are
/// sent. Browsers cache them, and the kernel caches files that are read often. What the page needs first is joined
/// (`PageBundle`).
struct PageFiles: Sendable {
  struct File: Sendable {
    /// The value of the header `Content-Type`.
    var type: String
    /// The number of bytes.
    var size: Int
    /// The value of the header `ETag`, a strong validator (RFC 9110): equal bytes have equal tags.
    var tag: String
    /// Reads the bytes.
    fileprivate let contents: @Sendable () throws(LunaraError) -> [UInt8]

    fileprivate init(type: String, bytes: [UInt8], contents: @escaping @Sendable () throws(LunaraError) -> [UInt8]) {
      self.type = type
      self.contents = contents
      size = bytes.count
      tag = PageFiles.tag(bytes)
    }

    /// Reads the file. Throws `web.noPageFiles` if it cannot be read any more.
    func bytes() throws(LunaraError) -> [UInt8] { try contents() }
  }

  /// The description of the HTTP API (OpenAPI 3.1).
  let openAPI: File
  /// Why the modules of the page are sent one by one; nil if they are joined, or the page names none to be joined.
  private(set) var problem: String?
  private var files: [String: File]
  /// The files that the page does not ask for, as it has what they hold: the modules of the bundle, and those of its
  /// style sheets that no other document names.
  private var bundled: Set<String> = []

  /// The media types by the ending of a file's name. A file with another ending is not served.
  private static let types = [
    "css": "text/css; charset=utf-8", "html": "text/html; charset=utf-8", "jpg": "image/jpeg",
    "js": "text/javascript; charset=utf-8", "json": "application/json", "png": "image/png", "svg": "image/svg+xml",
    "webmanifest": "application/manifest+json", "woff2": "font/woff2",
  ]
  /// The largest size of a file, in bytes.
  private static let sizeLimit = 4 << 20
  /// The number of levels of folders that are read.
  private static let depthLimit = 4
  private static let openAPIName = "api/openapi.json"
  private static let workerName = "sw.js"

  /// Reads the files in a folder and in the folders below it. Only regular files are read; symbolic links, hidden files
  /// and files with an unknown ending are left out. Throws `web.noPageFiles` if the folder cannot be read, or lacks
  /// index.html or the description of the API.
  init(folder: String) throws(LunaraError) {
    var files: [String: File] = [:]
    do throws(Errno) {
      try Self.read(folder, prefix: "", depth: 1, into: &files)
    } catch {
      throw Self.missing(folder, cause: error.text)
    }
    guard let openAPI = files.removeValue(forKey: Self.openAPIName) else {
      throw Self.missing(folder, cause: "\(Self.openAPIName) is missing")
    }
    guard files["index.html"] != nil else { throw Self.missing(folder, cause: "index.html is missing") }
    self.openAPI = openAPI
    self.files = files
    do throws(PageModule.SyntaxError) {
      try join(in: folder)
    } catch {
      problem = error.text
    }
    try addVersion()
  }

  /// Replaces the files that are joined, and those that refer to them.
  private mutating func join(in folder: String) throws(PageModule.SyntaxError) {
    let read: @Sendable (String) throws(PageModule.SyntaxError) -> String = { name throws(PageModule.SyntaxError) in
      do throws(Errno) {
        return String(decoding: try Self.read("\(folder)/\(name)"), as: UTF8.self)
      } catch {
        throw PageModule.SyntaxError(text: "\(name) cannot be read: \(error.text)")
      }
    }
    let own = files.filter { $0.key != Self.workerName }
    guard let bundle = try PageBundle(of: own.keys, read: read) else { return }
    var joined = files
    for name in own.keys + [PageBundle.styles] {
      guard let text = try bundle.text(of: name, read: read) else { continue }
      let type = Self.types[String(name.split(separator: ".").last ?? "")]
      joined[name] = File(type: type ?? "", bytes: Array(text.utf8)) { () throws(LunaraError) in
        do throws(PageModule.SyntaxError) {
          return Array((try bundle.text(of: name, read: read) ?? "").utf8)
        } catch {
          throw Self.missing(folder, cause: error.text)
        }
      }
    }
    files = joined
    let others = try own.keys.filter { $0.hasSuffix(".html") && $0 != "index.html" }.map(read)
    let sheets = bundle.sheets.filter { sheet in !others.contains { $0.contains("\"\(sheet)\"") } }
    bundled = Set(bundle.modules + sheets).subtracting([PageBundle.script])
  }

  /// Reads the files that belong to the running program. Throws `web.noPageFiles`.
  static func ofThisProgram() throws(LunaraError) -> PageFiles {
    let program: String
    do throws(Errno) {
      program = try Files.resolved("/proc/self/exe")
    } catch {
      throw missing("/proc/self/exe", cause: error.text)
    }
    return try PageFiles(folder: folder(ofProgram: program))
  }

  /// Returns the folder with the page's files: `../share/lunara/web` from the folder of an installed program, or the
  /// source folder if the program is in SwiftPM's `.build`.
  ///
  /// - Parameter program: the absolute path of the program.
  static func folder(ofProgram program: String) -> String {
    let installed = "\(Files.folder(of: Files.folder(of: program)))/share/lunara/web"
    guard !Files.exists(installed), let build = program.firstRange(of: "/.build/") else { return installed }
    return "\(program[..<build.lowerBound])/Services/Web/Public"
  }

  /// The names of all files, such as `core/dom.js`, sorted.
  var names: [String] { files.keys.sorted() }

  subscript(name: String) -> File? { files[name] }

  private static func read(
    _ folder: String, prefix: String, depth: Int, into files: inout [String: File]
  ) throws(Errno) {
    for name in try Files.names(in: folder) where !name.hasPrefix(".") {
      let path = "\(folder)/\(name)"
      switch try FileStatus(path, followingLinks: false).kind {
      case .folder where depth < depthLimit:
        try read(path, prefix: "\(prefix)\(name)/", depth: depth + 1, into: &files)
      case .regular:
        guard let ending = name.split(separator: ".").last, let type = types[String(ending)] else { continue }
        files[prefix + name] = File(type: type, bytes: try read(path)) { () throws(LunaraError) in
          do throws(Errno) {
            return try read(path)
          } catch {
            throw missing(path, cause: error.text)
          }
        }
      default: continue
      }
    }
  }

  /// Puts the tags of all files that the page asks for, and the version that they make, before the service worker. So
  /// the worker changes with each file, and a browser that compares its bytes notices every update.
  private mutating func addVersion() throws(LunaraError) {
    guard let worker = files.removeValue(forKey: Self.workerName) else { return }
    let members = Set(files.keys).subtracting(bundled).sorted().compactMap { name in
      files[name].map { JSON.Member(key: name, value: .string("\($0.tag.dropFirst().dropLast())")) }
    }
    let tags = JSON.object(members).bytes(.leftOut)
    let version = Self.tag(tags + Array(worker.tag.utf8))
    let preface =
      Array("const version = '\(version.dropFirst().dropLast())';\nconst tags = ".utf8) + tags + Array(";\n".utf8)
    var versioned = File(type: worker.type, bytes: preface + (try worker.bytes())) { () throws(LunaraError) in
      preface + (try worker.bytes())
    }
    versioned.tag = version
    files[Self.workerName] = versioned
  }

  private static func read(_ path: String) throws(Errno) -> [UInt8] {
    try Files.read(path, limit: sizeLimit, followsLinks: false, mustBeRegular: true)
  }

  private static func tag(_ bytes: [UInt8]) -> String { "\"\(String(FNV1a.hash(bytes), radix: 36))\"" }

  private static func missing(_ folder: String, cause: String) -> LunaraError {
    LunaraError(
      "web.noPageFiles",
      "The files of the page cannot be read from \(folder). Install Lunara again, from its packages or with `make install`.",
      cause: cause)
  }
}
