import Bus
import HTTP
import Messages
import Model
import System

/// Stores the covers that are shown as files that the programs of the desktop can read. The folder is inside the
/// runtime folder, which a restart of the machine empties, and exists only while it holds a cover.
///
/// Disk operations may block, so the actor runs on a thread of its own.
actor CoverFolder {
  /// The largest size of a cover, in bytes. The library's covers of 1024 pixels have several hundred thousand bytes.
  static let limit = 16 << 20

  private let thread = IOThread()
  private let path: String
  private let client = HTTPClient(userAgent: "Lunara now playing")

  nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

  /// Uses the folder at `path`, which need not exist yet.
  init(_ path: String) { self.path = path }

  deinit { thread.stop() }

  /// Removes the files that an earlier run left behind, for example after a kill.
  func clear() {
    do throws(Errno) {
      try Files.removeTree(path)
    } catch {
      // Files that cannot be removed do no harm: no cover gets the name of another one.
    }
  }

  /// Writes a cover to a file and returns its path. The file's name contains the lookup's number, so no file is ever
  /// overwritten. Throws `nowplaying.noCover`.
  func write(_ bytes: [UInt8], for cover: ArtID, lookup: Int) throws -> LocalPath {
    let file = "\(path)/\(Self.fileName(of: cover, lookup: lookup))"
    do throws(Errno) {
      try Files.makeFolder(path)
      try Files.replace(file, with: bytes, Files.WriteOptions(isDurable: false, temporary: file + ".part"))
    } catch {
      throw Self.failure(error.text)
    }
    return LocalPath(file)
  }

  /// Removes a cover's file, and the folder if it is then empty.
  func remove(_ file: LocalPath) {
    do throws(Errno) {
      try Files.removeFile(file.description)
      if try Files.names(in: path).isEmpty { try Files.removeTree(path) }
    } catch {
      // The file is removed with the folder when the service ends or starts again.
    }
  }

  /// Reads a cover from the place that the library returned. Throws `nowplaying.noCover`, and the errors of
  /// `HTTPClient.send`.
  func read(_ locator: Library.Locator) async throws -> [UInt8] {
    switch locator {
    case .file(let path, _):
      do throws(Errno) {
        let bytes = try Files.read(path, limit: Self.limit, mustBeRegular: true)
        if !bytes.isEmpty { return bytes }
      } catch {
        throw Self.failure(error.text)
      }
      throw Self.failure("the file is empty")
    case .url(let url, let headers, _, _, _):
      let request = HTTPRequest(
        .reads, url: url, headers: headers.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }, timeout: .seconds(10),
        responseLimit: Self.limit)
      let answer = try await client.send(request)
      guard answer.status == 200, !answer.body.isEmpty else { throw Self.failure("status \(answer.status)") }
      return answer.body
    }
  }

  /// Returns the name of a cover's file: a hash of its id, which may have any length and contain any character, and the
  /// lookup's number. No name is used twice, so a program that caches pictures by path never shows a wrong one.
  static func fileName(of cover: ArtID, lookup: Int) -> String {
    let digits = String(FNV1a.hash(cover.description), radix: 16)
    // Programs recognise the format by the first bytes; some also require a file extension.
    return "\(String(repeating: "0", count: 16 - digits.count))\(digits)-\(lookup).jpg"
  }

  private static func failure(_ cause: String) -> LunaraError {
    LunaraError(
      "nowplaying.noCover",
      "A cover could not be written to a file for the desktop. The track is shown without a cover.", cause: cause)
  }
}
