import Messages
import Model
import Storage
import TestSupport
import Testing

@testable import Bus

/// What needs sockets runs one after the other, so that a machine with two cores has time for each.
@Suite(.serialized, .timeLimit(.minutes(1))) enum Nodes {}

// An invented service: a meter, its states, facts and requests.

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

/// Changes something.
struct Strike: CommandRequest {
  static let kind = "meter.strike"
  typealias Answer = Int
  var number: Int
}

/// Changes nothing.
struct ReadMeter: ReadRequest {
  static let kind = "meter.read-meter"
  typealias Answer = String
  var words = ""
}

extension Journal {
  /// Appends 5000 facts. 500 are sent in one moment each, as one transaction holds them: more than a pipe takes.
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
  /// Answers each reading with its words and 20,000 letters behind them.
  func serveLargeAnswers() {
    serve(ReadMeter.self) { request, _ in request.words + String(repeating: "x", count: 20_000) }
  }

  /// Asks a node that serves large answers fifty times at once; returns the words of its answers.
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

  /// Looks at several things of a node in one moment.
  func look<Result: Sendable>(_ body: @Sendable (isolated Node) -> Result) -> Result { body(self) }
}

extension TestBus {
  /// A node for which seconds do not pass.
  func stillNode(
    _ name: String, journal: Journal? = nil, carries: @escaping @Sendable (Frame) -> Bool = { _ in true }
  ) async throws -> Node {
    try await node(name, tuning: Node.Tuning(disablesPeriodicWork: true, carries: carries), journal: journal)
  }

  /// A node with other settings than usual.
  func node(
    _ name: String, tuning: Node.Tuning, journal: Journal? = nil, network: Network = Network()
  ) async throws -> Node {
    try await Node.start(
      NodeID(name) ?? .web, in: directory, journal: journal, network: network, tuning: tuning,
      report: { print("\(name): \($0)") })
  }

  /// A database with a table of the numbers that were seen.
  func reader(_ name: String = "reader") throws -> Database {
    try database(name, migrations: [Migration("seen", "CREATE TABLE seen (number INTEGER)")])
  }
}

extension Database {
  /// The numbers that were seen, in order.
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

/// Notes the number of a fact.
@Sendable func see(_ fact: ReceivedFact, _ transaction: Transaction) throws {
  guard let struck = try fact.decode(Struck.self) else { return }
  try transaction.execute("INSERT INTO seen VALUES (?)", struck.number)
}

/// The code of the error that a piece of work throws; nil where it throws none.
func code(_ work: () async throws -> some Any) async -> String? {
  do {
    _ = try await work()
    return nil
  } catch {
    return LunaraError(error).code
  }
}
