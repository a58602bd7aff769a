import Messages
import Model
import Storage
import Synchronization
import TestSupport
import Testing

@testable import Bus

/// A node as the first version had it, byte for byte, without any later feature. Its messages are written out here, so
/// that a change of today's types does not change them.
private final class FirstVersion: Sendable {
  static let started = "2026-11-20T14:00:00.000000Z"
  static let presence =
    #"{"epoch":3,"id":"meter@main","journal":{"epoch":3,"journal":"old1","seq":3},"lag":0,"pid":1,"startedAt":"\#(started)","states":{"meter.main.level.":7},"version":"0.1.0"}"#

  private let work: Task<Void, Never>
  init(in directory: RuntimeDirectory) throws {
    let id = try #require(NodeID("meter@main"))
    let lock = try NodeLock(of: id, in: directory)
    let requests = Shared(try Socket(.requests))
    try requests.socket.bind(directory.requestAddress(of: id))
    let publisher = Shared(try Socket(.publisher))
    let heard = ReceivedKinds()
    work = Task {
      var isConnected = false
      while !Task.isCancelled {
        requests.socket.receiveHeaded { body, header in
          guard let frame = try? Frame(decoding: body), let envelope = try? Envelope(decoding: frame.body) else {
            return
          }
          heard.kinds.withLock { _ = $0.insert(envelope.kind) }
          let text = String(decoding: envelope.payload, as: UTF8.self)
          if envelope.kind == "bus.hello", !isConnected, let inbox = text.firstMatch(of: /"inbox":"([^"]+)"/) {
            _ = try? publisher.socket.connect(String(inbox.1))
            isConnected = true
          }
          guard let answer = Self.answer(to: envelope.kind, text) else { return }
          _ = requests.socket.send(
            Self.frame(frame.topic, Self.envelope(envelope.id, "answer", answer)), header: header)
        }
        if isConnected {
          publisher.socket.send(
            Self.frame("meter.main.heartbeat.", Self.envelope("h", "bus.heartbeat", #"{"presence":\#(Self.presence)}"#))
          )
        }
        try? await Task.sleep(for: .milliseconds(5))
      }
      lock.release()
    }
    kinds = heard
  }

  private let kinds: ReceivedKinds

  /// The requests that it got so far.
  var questions: Set<String> { kinds.kinds.withLock { $0 } }

  func stop() async {
    work.cancel()
    await work.value
  }

  private final class ReceivedKinds: Sendable { let kinds = Mutex<Set<String>>([]) }

  /// `@unchecked Sendable` is safe because (1) the socket never changes; (2) only the one task that holds it uses it.
  private final class Shared: @unchecked Sendable {
    let socket: Socket
    init(_ socket: Socket) { self.socket = socket }
  }

  private static func fact(_ seq: Int) -> String {
    #"{"id":"f\#(seq)","node":"meter@main","epoch":3,"seq":\#(seq),"time":"\#(started)","kind":"meter.struck","journal":"old1","payload":{"number":\#(seq),"padding":""}}"#
  }

  private static func answer(to kind: String, _ question: String) -> String? {
    switch kind {
    case "bus.hello": #"{"presence":\#(presence)}"#
    case "bus.read-presence": presence
    case "bus.read-states":
      #"{"now":"\#(started)","states":[{"id":"3.7","node":"meter@main","epoch":3,"version":7,"time":"\#(started)","kind":"meter.level","payload":{"value":42,"padding":"","colour":"new"}}]}"#
    case "bus.replay":
      question.contains(#""after""#)
        ? #"{"facts":[],"head":3,"through":{"epoch":3,"journal":"old1","seq":3}}"#
        : #"{"facts":[\#((1...3).map(fact).joined(separator: ","))],"head":3,"through":{"epoch":3,"journal":"old1","seq":3}}"#
    case "meter.strike": "7"
    default: nil
    }
  }

  static func envelope(_ id: String, _ kind: String, _ payload: String) -> String {
    #"{"id":"\#(id)","node":"meter@main","epoch":3,"time":"\#(started)","kind":"\#(kind)","payload":\#(payload)}"#
  }

  static func frame(_ topic: String, _ envelope: String) -> [UInt8] {
    Array(topic.utf8) + [0, 0x10] + Array(envelope.utf8)
  }
}

extension Nodes {
  /// Nodes of different versions in one household.
  @Suite struct VersionTests {
    @Test func aNodeWorksWithAPeerOfTheFirstVersion() async throws {
      let bus = try TestBus()
      let old = try FirstVersion(in: bus.directory)
      let web = try await bus.node("web@main")
      let stream = await web.states(Level.self)
      let numbers = Mutex<[Int]>([])
      await web.follow("meter", from: .oldest) { fact in
        if let number = try? fact.decode(Struck.self)?.number { numbers.withLock { $0.append(number) } }
      }
      #expect(await eventually(equals: 42) { await web.snapshot(of: Level.self).last?.value.value })
      #expect(await eventually(equals: [1, 2, 3]) { numbers.withLock { $0 } })
      let meter = try #require(NodeID("meter@main"))
      #expect(try await web.request(Strike(number: 7), to: meter) == 7)
      #expect(try await web.request(ReadPresence(), to: meter).version == "0.1.0")
      #expect(await web.roster.peers[meter]?.presence?.away == false)
      #expect(old.questions.isSuperset(of: ["bus.hello", "bus.replay", "bus.read-states", "meter.strike"]))
      _ = stream
      await web.close()
      await old.stop()
    }

    @Test func aFirstVersionNodeFindsAllItsFieldsInTheAnswers() async throws {
      let bus = try TestBus()
      let database = try bus.database("meter")
      let journal = try await Journal(database)
      let meter = try await bus.node("gauge@main", tuning: Node.Tuning(), journal: journal)
      await meter.publish(Level(value: 5))
      try await database.write { try journal.append(Struck(number: 1), in: $0) }
      let connection = try Socket(.connection)
      _ = try connection.connect(bus.directory.requestAddress(of: meter.id))
      func ask(_ number: UInt32, _ kind: String, _ payload: String) async -> String {
        let question =
          #"{"id":"q\#(number)","node":"guest@old","epoch":1,"time":"\#(FirstVersion.started)","kind":"\#(kind)","patience":5000,"payload":\#(payload)}"#
        var answer = ""
        _ = await eventually {
          _ = connection.send(FirstVersion.frame("gauge.main.x.", question), header: (0x8000_0000 | number).bytes)
          for _ in 0..<20 where answer.isEmpty {
            connection.receiveHeaded { body, _ in
              if let frame = try? Frame(decoding: body), let envelope = try? Envelope(decoding: frame.body),
                envelope.id == "q\(number)"
              {
                answer = String(decoding: envelope.payload, as: UTF8.self)
              }
            }
            try? await Task.sleep(for: .milliseconds(2))
          }
          return !answer.isEmpty
        }
        return answer
      }
      let presence = await ask(1, "bus.read-presence", "{}")
      for field in ["epoch", "id", "journal", "lag", "pid", "startedAt", "states", "version"] {
        #expect(presence.contains("\"\(field)\":"), "\(field)")
      }
      let states = await ask(
        2, "bus.read-states", #"{"topics":["meter.gauge.level.","meter.main.level.","gauge.main.level."]}"#)
      #expect(states.hasPrefix(#"{"now":""#) && states.contains(#""states":["#))
      let page = await ask(3, "bus.replay", #"{"from":"oldest"}"#)
      for field in ["facts", "head", "through"] { #expect(page.contains("\"\(field)\":"), "\(field)") }
      #expect(page.contains(#""kind":"meter.struck""#))
      let hello = await ask(
        4, "bus.hello",
        #"{"hearsNothing":true,"presence":{"epoch":1,"id":"guest@old","lag":0,"pid":1,"startedAt":"\#(FirstVersion.started)","states":{},"version":"0.1.0"},"wantsSignals":false}"#
      )
      #expect(hello.contains(#""presence":{"#))
      await meter.close()
      await database.close()
    }
  }
}
