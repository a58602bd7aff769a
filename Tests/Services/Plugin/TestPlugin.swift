import Foundation
import Glibc
import Model
import System
import Testing

/// A plugin of a test in a process of its own, and the side of the resolver: it sends calls, and answers questions.
final class TestPlugin {
  typealias Fields = [String: Any]

  /// The program, beside that of the tests.
  static let program = WorkerProcess.program("lunara-plugin")

  let process: ChildProcess
  private let input: Descriptor
  private let output: Descriptor
  private var received: [UInt8] = []
  private var calls = 0
  /// All lines that came, in their order.
  private(set) var lines: [Fields] = []

  /// Starts a process without loading anything.
  init() throws {
    let (theirInput, ourInput) = try Descriptor.pipe()
    let (ourOutput, theirOutput) = try Descriptor.pipe()
    var environment = Environment(["TZ": "UTC", "LC_ALL": "C.UTF-8"])
    environment["LD_LIBRARY_PATH"] = ProcessInfo.processInfo.environment["LD_LIBRARY_PATH"]
    process = try ChildProcess(
      Self.program, [Self.program], environment: environment,
      descriptors: [theirInput, theirOutput, try Descriptor.duplicate(STDERR_FILENO)])
    (input, output) = (ourInput, ourOutput)
    withExtendedLifetime((theirInput, theirOutput)) {}
  }

  /// Starts a process and loads a plugin with these functions.
  convenience init(_ functions: [String: String], id: String = "own") throws {
    try self.init()
    let loaded = try load(["manifest": ["id": id, "name": "Own"], "implementation": functions])
    #expect((loaded["loaded"] as? Fields)?["functions"] != nil, "\(loaded)")
  }

  deinit {
    input.close()
    process.send(SIGKILL)
    process.wait()
  }

  /// Loads a plugin, and returns the answer.
  func load(_ file: Fields) throws -> Fields {
    let text = String(decoding: try JSONSerialization.data(withJSONObject: file), as: UTF8.self)
    try send(["load": text])
    return try #require(try line())
  }

  func send(_ fields: Fields) throws {
    try input.write(Array(try JSONSerialization.data(withJSONObject: fields)) + [UInt8(ascii: "\n")])
  }

  /// Closes the input of the process, as a resolver does that is gone.
  func close() { input.close() }

  /// Returns the next line; nil at the end of the process.
  func line(within seconds: Int32 = 30) throws -> Fields? {
    while true {
      if let end = received.firstIndex(of: UInt8(ascii: "\n")) {
        let bytes = received[..<end]
        received = Array(received[(end + 1)...])
        let fields = try #require(try JSONSerialization.jsonObject(with: Data(bytes)) as? Fields)
        lines.append(fields)
        return fields
      }
      var polled = pollfd(fd: output.number, events: Int16(POLLIN), revents: 0)
      guard poll(&polled, 1, seconds * 1000) > 0 else { throw Errno.timedOut }
      guard case .bytes(let bytes) = output.read(upTo: 65_536) else { return nil }
      received += bytes
    }
  }

  /// Calls a function, and returns the line with its result. `answer` gives the fields of the answer to a question.
  func call(
    _ function: String, _ arguments: [Any] = [], more: Fields = [:], answer: (Fields) throws -> Fields = { _ in [:] }
  ) throws -> Fields {
    calls += 1
    let number = calls
    try send(["call": number, "function": function, "arguments": arguments].merging(more) { $1 })
    while let line = try line() {
      if line["call"] as? Int == number || line["ended"] != nil { return line }
      guard let ask = line["ask"] as? Int else { continue }
      try send(["answer": ask].merging(try answer(line)) { $1 })
    }
    return ["ended": "closed"]
  }

  /// Calls a function, and returns its result as JSON with sorted keys.
  func result(
    _ function: String, _ arguments: [Any] = [], answer: (Fields) throws -> Fields = { _ in [:] }
  ) throws -> String {
    let line = try call(function, arguments, answer: answer)
    return Self.json(try #require(line["result"], "\(line)"))
  }

  /// Returns the message with which a function fails.
  func failure(_ function: String, _ arguments: [Any] = []) throws -> String? {
    (try call(function, arguments)["error"] as? Fields)?["message"] as? String
  }

  /// Returns a value as JSON with sorted keys.
  static func json(_ value: Any) -> String {
    let options: JSONSerialization.WritingOptions = [.sortedKeys, .fragmentsAllowed, .withoutEscapingSlashes]
    guard let data = try? JSONSerialization.data(withJSONObject: value, options: options) else { return "no JSON" }
    return String(decoding: data, as: UTF8.self)
  }
}
