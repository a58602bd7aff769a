import FoundationEssentials
import Glibc
import Model
import Synchronization
import Testing

@testable import HTTP

/// Starts a server, gives a closure its base address, and stops it.
func withServer<T>(
  limits: HTTPServer.Limits = .init(),
  _ handler: @escaping @Sendable (HTTPServerRequest) async -> HTTPServerResponse,
  _ body: (HTTPServer, String) async throws -> T
) async throws -> T {
  let server = try HTTPServer(address: "127.0.0.1", port: 0, limits: limits, handler: handler)
  do {
    let value = try await body(server, "http://127.0.0.1:\(server.port)")
    await server.stop()
    return value
  } catch {
    await server.stop()
    throw error
  }
}

/// Returns the code of the `LunaraError` that a closure throws; nil where it throws none.
func code(_ body: () async throws -> Void) async -> String? {
  do { try await body() } catch { return LunaraError(error).code }
  return nil
}

/// A value that tasks share.
final class Shared<Value: Sendable>: Sendable {
  private let mutex: Mutex<Value>
  init(_ value: Value) { mutex = Mutex(value) }
  var value: Value {
    get { mutex.withLock { $0 } }
    set { mutex.withLock { $0 = newValue } }
  }
  func change(_ body: (inout Value) -> Void) { mutex.withLock { body(&$0) } }
}

/// A temporary file that is removed with this value.
final class TemporaryFile: Sendable {
  let path: String
  init(_ bytes: [UInt8]) throws {
    path = "/tmp/lunara-http-\(UInt32.random(in: 0...UInt32.max))"
    try Data(bytes).write(to: URL(filePath: path))
  }
  deinit { unlink(path) }
  var local: LocalPath { LocalPath(path) }
}

/// The number of files and sockets that this process has open.
func openDescriptors() throws -> Int { try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count }
