import Messages
import Model
import Storage
import Synchronization
import TestSupport
import Testing

@testable import Bus

/// The state that the well-behaved publishers publish.
struct FloodLevel: State, Equatable {
  static let kind = "meter.level"
  var value: Int
}

/// The fact that the well-behaved publishers publish.
struct FloodStruck: Fact, Equatable {
  static let kind = "meter.struck"
  static let survives = Durability.process
  var number: Int
}

extension Node {
  /// Reads several properties of a node in one step of its actor.
  fileprivate func inspect<Result: Sendable>(_ body: @Sendable (isolated Node) -> Result) -> Result { body(self) }
}

/// The node under test with well-behaved nodes around it: a publisher on its machine, one on another machine that it
/// receives over tcp, and a client that sends requests.
final class FloodScene: Sendable {
  private let folder = TemporaryDirectory()
  private let household: TestHousehold
  private let directories: [RuntimeDirectory]
  private let databases: [Database]
  private let journals: [Journal]
  private let publishers: [Node]
  private let store: Database
  private let target: Node
  private let watching: Task<Void, Never>
  private let state = Mutex((isStopped: false, said: [0, 0], answers: 0, troubles: [String]()))
  /// A sender that the target admits, and in whose name the sealed frames are.
  static let shed = NodeID("meter@shed") ?? .web

  init() async throws {
    let folder = folder
    household = try TestHousehold()
    directories = try ["near", "far"].map { try RuntimeDirectory("\(folder.path)/\($0)") }
    databases = try ["near", "far"].map {
      try Database(at: "\(folder.path)/\($0).sqlite", migrations: Journal.migrations)
    }
    store = try Database(
      at: "\(folder.path)/store.sqlite",
      migrations: Journal.migrations + [
        Migration("seen", "CREATE TABLE seen (place INTEGER PRIMARY KEY, node TEXT, number INTEGER)")
      ])
    target = try await Node.start(
      .library, in: directories[0], network: household.network(host: nil))
    var (journals, publishers): ([Journal], [Node]) = ([], [])
    for (index, name) in ["meter@near", "meter@far"].enumerated() {
      let journal = try await Journal(databases[index])
      journals.append(journal)
      publishers.append(
        try await Node.start(
          NodeID(name) ?? .web, in: directories[index], journal: journal,
          network: index == 0 ? Network() : household.network(host: nil, seeds: [household.seed])))
    }
    (self.journals, self.publishers) = (journals, publishers)
    await target.follow("meter", as: "good", in: store) { fact, transaction in
      guard let struck = try fact.decode(FloodStruck.self) else { return }
      try transaction.execute("INSERT INTO seen (node, number) VALUES (?, ?)", fact.node.description, struck.number)
    }
    // A node keeps the states of others only while it has a subscriber.
    let levels = await target.states(FloodLevel.self)
    watching = Task { for await _ in levels {} }
    guard await eventually(within: .seconds(20), { await self.hasMet() }) else {
      throw Violation("the nodes of the scene do not find each other")
    }
  }

  private func hasMet() async -> Bool {
    let (met, publishers) = (await target.roster.presences.filter { !$0.away }.map(\.id), publishers.map(\.id))
    return publishers.allSatisfy(met.contains)
  }

  /// Returns the sockets of all ways into the node, with the genuine frames that are changed and sent there.
  func sockets() async throws -> [FloodSocket] {
    guard let endpoints = await target.endpoints, let keys = household.keys,
      let reader = await target.inspect({ $0.remotePeers.sealer?.own })
    else { throw Violation("the target does not listen") }
    let plain = Corpus.envelopes.dropLast().map { Frame(topic: $0.topic, body: $0.encoded()) }
    let heartbeat = Envelope(
      id: "h", node: Corpus.kitchen, epoch: 7, time: Corpus.moment, kind: Heartbeat.kind,
      payload: try MessageCoding.encode(Heartbeat(presence: Corpus.presence, leaving: nil)))
    let said = plain + [Frame(topic: heartbeat.topic, body: heartbeat.encoded())]
    let asked = try Self.questions()
    // Admitted without a hello, so that its sealed frames get as far as the decryption.
    var shed = Sealer(ring: keys, node: Self.shed, epoch: 1, nonce: .random())
    let own = shed.own
    await target.inspect { _ = $0.remotePeers.sealer?.admit(own, epoch: 1) }
    let sealed = try (0..<64).flatMap { _ in
      try zip(said, [SealedClass.fact, .state, .signal, .signal, .signal]).map { try shed.seal($0, as: $1, to: reader) }
    }
    let sealedQuestions = try (0..<64).flatMap { _ in
      try asked.map { try shed.seal($0, as: .question, to: reader) }
        + [try shed.seal(Frame(topic: "bus.knock.", body: asked[0].body), as: .question, to: nil)]
    }
    return [
      try FloodSocket(inbox: directories[0].inbox(of: target.id), try said.map { try $0.encoded() }),
      try FloodSocket(requests: directories[0].requestAddress(of: target.id), try asked.map { try $0.encoded() }),
      try FloodSocket(inbox: endpoints.inbox, sealed, isSealed: true),
      try FloodSocket(requests: endpoints.requests, sealedQuestions, isSealed: true),
    ]
  }

  /// Returns a request of each kind that every node answers, in the name of the forger.
  private static func questions() throws -> [Frame] {
    let asked = [
      (Hello.kind, try Corpus.seeds(of: .hello)[0]), (Bus.Replay.kind, try Corpus.seeds(of: .replay)[0]),
      (ReadStates.kind, try MessageCoding.encode(ReadStates(topics: ["a.b.c."]))),
      (ReadPresence.kind, Array("{}".utf8)), (ReadMetrics.kind, Array("{}".utf8)), ("library.search", Array("{}".utf8)),
    ]
    return asked.map { kind, payload in
      let envelope = Envelope(
        id: "q-\(kind)", node: shed, epoch: 1, time: Corpus.moment, kind: kind, patience: Milliseconds(1000),
        payload: payload)
      return Frame(topic: "library.main.\(kind.drop { $0 != "." }.dropFirst()).", body: envelope.encoded())
    }
  }

  /// The counters of the target.
  func counts() async -> (total: Int, bad: Int, refused: Int) {
    await target.inspect { node in
      let meter = node.meter
      let heard = meter.received.all.reduce(0) { $0 + $1.flow.frames }
      return (heard + meter.badFrames + meter.refusedFrames, meter.badFrames, meter.refusedFrames)
    }
  }

  /// Publishes facts and states and sends requests until it is stopped.
  func keepCompany() async throws {
    var number = 0
    while !state.withLock({ $0.isStopped }) {
      number += 1
      for (index, publisher) in publishers.enumerated() {
        let (journal, number) = (journals[index], number)
        try await databases[index].write { try journal.append(FloodStruck(number: number), in: $0) }
        await publisher.publish(FloodLevel(value: number))
        state.withLock { $0.said[index] = number }
      }
      do {
        _ = try await publishers[number % 2].request(ReadPresence(), to: target.id, within: .seconds(10))
        state.withLock { $0.answers += 1 }
      } catch {
        state.withLock { $0.troubles.append("question \(number): \(error)") }
      }
      try await Task.sleep(for: .milliseconds(5))
    }
  }

  func stop() { state.withLock { $0.isStopped = true } }

  /// Returns the facts that the reader applied, and the faults found in them.
  func verdict() async throws -> (facts: Int, answers: Int, harm: [String]) {
    let (said, answers, troubles) = state.withLock { ($0.said, $0.answers, $0.troubles) }
    var harm = Array(troubles.prefix(5))
    var facts = 0
    for (publisher, last) in zip(publishers, said) {
      let name = publisher.id.description
      @Sendable func seen() async throws -> [Int] {
        try await store.read { reader in
          try reader.rows("SELECT number FROM seen WHERE node = ? ORDER BY place", name) { try $0.value(0) }
        }
      }
      let isWhole = try await eventually(equals: Array(1...last)) { try await seen() }
      if !isWhole { harm.append("\(name) said \(last) facts, \(try await seen().count) were applied, or in disorder") }
      let isNewest = await eventually(equals: last, within: .seconds(10)) {
        await self.target.snapshot(of: FloodLevel.self).first { $0.node == publisher.id }?.value.value
      }
      if !isNewest { harm.append("the state of \(name) is not the newest one") }
      facts += last
    }
    let strangers: Int? = try await store.read { reader in
      try reader.row("SELECT count(*) FROM seen WHERE node NOT IN ('meter@near', 'meter@far')") { try $0.value(0) }
    }
    if strangers != 0 { harm.append("\(strangers ?? 0) forged facts were applied") }
    let levels = await target.snapshot(of: FloodLevel.self)
    if levels.count != 2 { harm.append("\(levels.count) nodes have a level, not 2: \(levels)") }
    let good = Set(publishers.map(\.id))
    let known = await target.inspect { Array($0.roster.peers.keys) }
    // Unknown senders are removed from the roster soon, and cost nothing until then.
    if !good.isSuperset(of: known) {
      harm.append("strangers are in the roster: \(known.filter { !good.contains($0) })")
    }
    return (facts, answers, harm)
  }

  func close() async {
    watching.cancel()
    for publisher in publishers { await publisher.close() }
    await target.close()
    for database in databases + [store] { await database.close() }
  }
}
