import Messages
import Model
import Storage
import TestSupport
import Testing

@testable import Bus

/// Tests that need sockets run one after the other, so that each has enough time on a machine with two cores.
@Suite(.serialized, .timeLimit(.minutes(1))) enum Nodes {}

// An invented service for the tests: a meter with states, facts and requests.

struct Level: State, Equatable {
  static let kind = "meter.level"
  var value: Int
  var padding = ""
}

struct Colour: State, Equatable {
  static let kind = "meter.colour"
  var name: String
}

struct Struck: Fact, Equatable {
  static let kind = "meter.struck"
  static let survives = Durability.process
  var number: Int
  var padding = ""
}

/// A command that changes something.
struct Strike: CommandRequest {
  static let kind = "meter.strike"
  typealias Answer = Int
  var number: Int
}

/// A request that changes nothing.
struct ReadMeter: ReadRequest {
  static let kind = "meter.read-meter"
  typealias Answer = String
  var words = ""
}

extension Journal {
  /// Appends 5000 facts. Each 500 are sent at once, as they are in one transaction: more than a pipe holds.
  func appendBurst(in source: Database) async throws {
    let padding = String(repeating: "x", count: 300)
    for first in stride(from: 1, through: 4501, by: 500) {
      try await source.write { transaction in
        for number in first..<first + 500 {
          try self.append(Struck(number: number, padding: padding), in: transaction)
        }
      }
    }
  }
}

extension Node {
  /// Answers each request with its words, followed by 20,000 letters.
  func serveLargeAnswers() {
    serve(ReadMeter.self) { request, _ in request.words + String(repeating: "x", count: 20_000) }
  }

  /// Sends fifty requests at once to a node that serves large answers; returns the words of its answers.
  nonisolated func fiftyLargeAnswers(of meter: NodeID) async throws -> Set<String> {
    try await withThrowingTaskGroup(of: String.self) { group in
      for number in 0..<50 {
        group.addTask {
          let answer = try await self.request(ReadMeter(words: "\(number)."), to: meter, within: .seconds(20))
          return String(answer.prefix { $0 != "x" })
        }
      }
      return try await group.reduce(into: Set()) { $0.insert($1) }
    }
  }

  /// Reads several properties of a node in one step of its actor.
  func look<Result: Sendable>(_ body: @Sendable (isolated Node) -> Result) -> Result { body(self) }
}

extension TestBus {
  /// Starts a node without periodic work, such as heartbeats.
  func stillNode(
    _ name: String, journal: Journal? = nil, carries: @escaping @Sendable (Frame) -> Bool = { _ in true }
  ) async throws -> Node {
    try await node(name, tuning: Node.Tuning(disablesPeriodicWork: true, carries: carries), journal: journal)
  }

  /// Starts a node with other settings than usual.
  func node(
    _ name: String, tuning: Node.Tuning, journal: Journal? = nil, network: Network = Network()
  ) async throws -> Node {
    try await Node.start(
      NodeID(name) ?? .web, in: directory, journal: journal, network: network, tuning: tuning,
      report: { print("\(name): \($0)") })
  }

  /// Opens a database with a table of the numbers that were seen.
  func reader(_ name: String = "reader") throws -> Database {
    try database(name, migrations: [Migration("seen", "CREATE TABLE seen (number INTEGER)")])
  }
}

extension Database {
  /// Returns the numbers that were seen, in order.
  func seen() async throws -> [Int] {
    try await read { try $0.rows("SELECT number FROM seen ORDER BY rowid") { try $0.value(0) } }
  }
}

extension Journal {
  /// Appends facts, each in a transaction of its own.
  func strike(_ numbers: some Sequence<Int> & Sendable, padding: String = "") async throws {
    for number in numbers {
      try await database.write { try self.append(Struck(number: number, padding: padding), in: $0) }
    }
  }
}

/// Records the number of a fact.
@Sendable func see(_ fact: ReceivedFact, _ transaction: Transaction) throws {
  guard let struck = try fact.decode(Struck.self) else { return }
  try transaction.execute("INSERT INTO seen VALUES (?)", struck.number)
}

/// Returns the code of the error that a closure throws; nil where it throws none.
func code(_ work: () async throws -> some Any) async -> String? {
  do {
    _ = try await work()
    return nil
  } catch {
    return LunaraError(error).code
  }
}
