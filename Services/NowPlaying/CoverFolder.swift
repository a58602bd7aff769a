import Bus
import Glibc
import HTTP
import Messages
import Model

/// The covers that are shown, as files that programs of the desktop can read: no more than that, and none when nothing is
/// shown. In the runtime folder, which a restart of the machine empties.
///
/// Its work is on disks, so it has a thread of its own.
actor CoverFolder {
  /// The largest picture that is taken, in bytes. The library's of 1024 pixels have some hundred thousand.
  static let limit = 16 << 20

  private let thread = IOThread()
  private let path: String
  private let client = HTTPClient(userAgent: "Lunara now playing")

  nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

  /// Uses a folder, which need not be there.
  init(_ path: String) { self.path = path }

  deinit { thread.stop() }

  /// Removes what an earlier run left behind, as after a kill.
  func clear() {
    for name in names() { unlink("\(path)/\(name)") }
    rmdir(path)
  }

  /// Makes a picture a file of a cover. Each search has a file of its own, so that none is ever written over.
  ///
  /// - Throws: `nowplaying.noCover`.
  func keep(_ bytes: [UInt8], for cover: ArtID, search: Int) throws -> LocalPath {
    let file = "\(path)/\(CoverName.of(cover, search: search))"
    do {
      try write(bytes, to: file + ".part")
      guard rename(file + ".part", file) == 0 else { throw Self.failure(errno) }
    } catch {
      unlink(file + ".part")
      throw error
    }
    return LocalPath(file)
  }

  /// Removes a cover's file, and the folder with the last one.
  func remove(_ file: LocalPath) {
    unlink(file.description)
    rmdir(path)
  }

  /// Reads the picture at a place.
  ///
  /// - Throws: `nowplaying.noCover`, or what the HTTP client throws.
  func read(_ place: Library.Locator) async throws -> [UInt8] {
    switch place {
    case .file(let path): return try Self.contents(of: path)
    case .url(let url, let headers, _):
      let request = HTTPRequest(
        url: url, headers: headers.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }, timeout: .seconds(10),
        responseLimit: Self.limit)
      let answer = try await client.send(request)
      guard answer.status == 200, !answer.body.isEmpty else { throw Self.failure("status \(answer.status)") }
      return answer.body
    }
  }

  // MARK: - Files

  private func names() -> [String] {
    guard let folder = opendir(path) else { return [] }
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
      if !name.hasPrefix(".") { names.append(name) }
    }
    return names
  }

  private func write(_ bytes: [UInt8], to file: String) throws {
    for parent in path.indices where path[parent] == "/" && parent != path.startIndex {
      mkdir(String(path[..<parent]), 0o700)
    }
    mkdir(path, 0o700)
    let descriptor = open(file, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw Self.failure(errno) }
    defer { close(descriptor) }
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw Self.failure(errno) }
      rest = rest.dropFirst(count)
    }
  }

  private static func contents(of path: LocalPath) throws -> [UInt8] {
    let name = path.bytes.map { CChar(bitPattern: $0) } + [0]
    let descriptor = open(name, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)
    guard descriptor >= 0 else { throw failure(errno) }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size > 0,
      status.st_size <= limit
    else { throw failure("no picture of at most \(limit >> 20) MiB") }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(Int(status.st_size))
    var buffer = [UInt8](repeating: 0, count: 64 << 10)
    while bytes.count <= limit {
      let count = Glibc.read(descriptor, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw failure(errno) }
      if count == 0 { break }
      bytes += buffer[..<count]
    }
    return bytes
  }

  private static func failure(_ code: Int32) -> LunaraError { failure(String(errno: code)) }

  private static func failure(_ cause: String) -> LunaraError {
    LunaraError(
      "nowplaying.noCover", "A cover could not be made a file for the desktop. It is shown without one.", cause: cause)
  }
}

/// What a cover's file is called: after the picture, so that a program that keeps pictures by their address never shows
/// another one's.
enum CoverName {
  /// The name: a 64-bit sum (FNV-1a) of the picture's reference, which may be of any length and hold any character, and
  /// the number of the search that found it.
  static func of(_ cover: ArtID, search: Int) -> String {
    var sum: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in cover.description.utf8 { sum = (sum ^ UInt64(byte)) &* 0x100_0000_01b3 }
    let digits = String(sum, radix: 16)
    // Programs tell pictures by their first bytes; the ending is for those that want one.
    return "\(String(repeating: "0", count: 16 - digits.count))\(digits)-\(search).jpg"
  }
}
