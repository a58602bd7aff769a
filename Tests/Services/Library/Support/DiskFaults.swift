import CDiskFaults
import Glibc
import Model
import Synchronization
import System

@testable import Records

/// Errors by which a disk answers some of the requests of a scan. The same request for the same path fails or succeeds
/// each time.
struct DiskFaults: Sendable {
  enum Request: Int32, CaseIterable {
    case open, status, list, read
  }

  var seed: UInt64
  /// How many of a hundred requests fail.
  var percent: UInt64
  /// The kinds of requests that fail.
  var requests: [Request]
  /// The end of the paths for which they fail; nil for all.
  var suffix: String?

  private static let errors: [Errno] = [
    .ioError, Errno(ESTALE), .timedOut, .permissionDenied, Errno(ENOTCONN), Errno(EHOSTDOWN),
  ]
  private static let current = Mutex<(faults: DiskFaults, failed: Int)?>(nil)

  /// Runs `body` while the disk fails below a folder. Returns the number of requests that failed. One caller at a time
  /// may use it.
  func failing(below folder: [UInt8], _ body: () async throws -> Void) async throws -> Int {
    Self.current.withLock { $0 = (self, 0) }
    let path = strdup(folder.cString)
    lunara_fail_requests(path ?? strdup("/")) { request, path in DiskFaults.answer(request, path) }
    let result: Result<Void, any Error>
    do { result = .success(try await body()) } catch { result = .failure(error) }
    // The path stays in memory: another thread may compare with it even now.
    lunara_fail_requests("/") { _, _ in 0 }
    lunara_fail_requests("/", nil)
    try result.get()
    return Self.current.withLock { $0?.failed ?? 0 }
  }

  /// Returns the error number for a request; 0 for none.
  private static func answer(_ request: Int32, _ path: UnsafePointer<CChar>) -> Int32 {
    current.withLock { current in
      guard let faults = current?.faults, let kind = Request(rawValue: request), faults.requests.contains(kind) else {
        return 0
      }
      if let suffix = faults.suffix, !String(cString: path).hasSuffix(suffix) { return 0 }
      var hash = FNV1a()
      hash.combine(UnsafeRawBufferPointer(start: path, count: strlen(path)))
      var random = SplitMix64(state: hash.value ^ faults.seed &+ UInt64(request))
      guard random.next() % 100 < faults.percent else { return 0 }
      current?.failed += 1
      return errors[Int(random.next() % UInt64(errors.count))].rawValue
    }
  }

  /// Numbers the files below a folder anew, as after another mount.
  ///
  /// - Parameter mount: the mount, from 1 on; 0 to show the numbers of the disk.
  static func number(filesBelow folder: [UInt8], mount: UInt64) {
    // The path stays in memory: another thread may compare with it even now.
    lunara_number_files(strdup(folder.cString) ?? strdup("/"), mount)
  }
}
