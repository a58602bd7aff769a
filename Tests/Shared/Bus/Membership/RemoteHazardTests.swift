import Messages
import Model
import Storage
import Synchronization
import TestSupport
import Testing

@testable import Bus

extension Nodes {
  /// Known problems of nanomsg and of hostile clients over tcp, with the buffer sizes that Debian's kernel allows.
  @Suite struct RemoteHazardTests {
    private let tuning = Node.Tuning(bufferSize: 208 * 1024)

    @Test func aBurstOfFactsArrivesWholeAndInOrder() async throws {
      let household = try TestHousehold()
      let (attic, cellar) = (try TestBus(), try TestBus())
      let (source, store) = (try attic.database("source"), try cellar.reader())
      let journal = try await Journal(source)
      let meter = try await attic.node(
        "meter@main", tuning: tuning, journal: journal, network: household.network(host: "attic"))
      let reader = try await cellar.node(
        "web@main", tuning: tuning, network: household.network(host: "cellar", seeds: [household.seed]))
      await reader.follow("meter", as: "r", in: store) { fact, transaction in
        guard let struck = try fact.decode(Struck.self) else { return }
        try transaction.execute("INSERT INTO seen (number) VALUES (?)", struck.number)
      }
      #expect(await eventually(equals: [meter.id]) { reader.nodes() })
      try await journal.appendBurst(in: source)
      #expect(try await eventually(atLeast: 5000) { try await store.seen().count })
      #expect(try await store.seen() == Array(1...5000))
      for node in [meter, reader] { await node.close() }
      for database in [source, store] { await database.close() }
    }

    @Test func fiftyLargeAnswersArrive() async throws {
      let household = try TestHousehold()
      let (attic, cellar) = (try TestBus(), try TestBus())
      let meter = try await attic.node("meter@main", tuning: tuning, network: household.network(host: "attic"))
      await meter.serveLargeAnswers()
      let asker = try await cellar.node(
        "web@main", tuning: tuning, network: household.network(host: "cellar", seeds: [household.seed]))
      #expect(await eventually(equals: [meter.id]) { asker.nodes() })
      #expect(try await asker.fiftyLargeAnswers(of: meter.id) == Set((0..<50).map { "\($0)." }))
      for node in [asker, meter] { await node.close() }
    }

    @Test func framesOfTwoMebibytesAndGarbageOfStrangersDoNoHarm() async throws {
      let household = try TestHousehold()
      let (attic, cellar) = (try TestBus(), try TestBus())
      let meter = try await attic.node("meter@main", tuning: tuning, network: household.network(host: "attic"))
      let web = try await cellar.node(
        "web@main", tuning: tuning, network: household.network(host: "cellar", seeds: [household.seed]))
      let stream = await web.states(Level.self)
      await meter.publish(Level(value: 1))
      #expect(await eventually(equals: 1) { await web.snapshot(of: Level.self).last?.value.value })
      let target = try #require(await web.endpoints)
      let (publisher, connection) = (try Socket(.publisher), try Socket(.connection))
      _ = try (publisher.connect(target.inbox), connection.connect(target.requests))
      let plain = try Frame(
        topic: "meter.main.level.",
        body: Invented.envelope(meter.id, epoch: 99, version: 9, kind: "meter.level", payload: #"{"value":666}"#)
          .encoded()
      ).encoded()
      #expect(
        await eventually {
          for bytes in [plain, [UInt8](repeating: 97, count: 2 << 20), [], [0], Array("a.\0\u{11}".utf8)] {
            publisher.send(bytes)
            _ = connection.send(bytes, header: UInt32(0x8000_0001).bytes)
          }
          return await web.meter.refusedFrames > 20
        })
      for value in 2...20 { await meter.publish(Level(value: value)) }
      #expect(await eventually(equals: 20) { await web.snapshot(of: Level.self).last?.value.value })
      _ = stream
      for node in [web, meter] { await node.close() }
    }

    @Test func whatIsHeardOnceIsNotHeardAgainWhenAStrangerRepeatsIt() async throws {
      let household = try TestHousehold()
      let (attic, cellar, den) = (try TestBus(), try TestBus(), try TestBus())
      let taken = Mutex<[UInt8]?>(nil)
      // The frames to the reader are recorded, as a stranger on the network could do.
      let meter = try await attic.node("meter@main", tuning: tuning, network: household.network(host: "attic"))
      let web = try await cellar.node(
        "web@main", tuning: tuning, network: household.network(host: "cellar", seeds: [household.seed]))
      let other = try await den.node(
        "router@main", tuning: tuning, network: household.network(host: "den", seeds: [household.seed]))
      let heard = await web.tap()
      let rang = Mutex(0)
      let hearing = Task {
        for await frame in heard where frame.topic == "meter.main.rang." { rang.withLock { $0 += 1 } }
      }
      #expect(
        await eventually {
          await meter.look { [$0.remotePeers.sessions[web.id], $0.remotePeers.sessions[other.id]] }
        } satisfies: {
          $0.allSatisfy { $0 != nil }
        })
      let session = try #require(await meter.look { $0.remotePeers.sessions[web.id] })
      let envelope = Invented.envelope(
        meter.id, epoch: meter.epoch, kind: "meter.rang", payload: #"{"once":true}"#)
      let frame = Frame(topic: "meter.main.rang.", body: envelope.encoded())
      await meter.look { node in
        let bytes = try? node.remotePeers.sealer?.seal(
          frame, as: .signal, to: SealPeer(node: web.id, nonce: session.nonce))
        taken.withLock { $0 = bytes }
      }
      let bytes = try #require(taken.withLock { $0 })
      let publishers = [try Socket(.publisher), try Socket(.publisher)]
      _ = try publishers[0].connect(try #require(await web.endpoints).inbox)
      _ = try publishers[1].connect(try #require(await other.endpoints).inbox)
      #expect(
        await eventually {
          for publisher in publishers { publisher.send(bytes) }
          let refused = [await web.meter.refusedFrames, await other.meter.refusedFrames]
          return refused.allSatisfy { $0 > 5 }
        })
      // After its restart the reader has another nonce: frames that were sealed for its former run do not open.
      await web.close()
      await hearing.value
      #expect(rang.withLock { $0 } == 1)
      let again = try await cellar.node(
        "web@main", tuning: tuning, network: household.network(host: "cellar", seeds: [household.seed]))
      let publisher = try Socket(.publisher)
      _ = try publisher.connect(try #require(await again.endpoints).inbox)
      #expect(
        await eventually {
          publisher.send(bytes)
          return await again.meter.refusedFrames > 3
        })
      for node in [again, other, meter] { await node.close() }
    }

    @Test func anAddressThatDoesNotAnswerIsDialledAgainAndAgain() async throws {
      // With the wrong address family nanomsg would abort the process at the second attempt.
      for host in ["127.0.0.1", "[::1]", "localhost"] {
        let household = try TestHousehold()
        let bus = try TestBus()
        let empty = "\(host):\(household.base + 40)"
        let meter = try await bus.node("meter@main", network: household.network(host: nil, seeds: [empty]))
        #expect(await eventually(atLeast: 3) { await meter.look { $0.peerSearch.rounds } })
        await meter.close()
      }
    }

    @Test func aRestartedPeerIsHeardAgainAtOnce() async throws {
      let household = try TestHousehold()
      let (attic, cellar) = (try TestBus(), try TestBus())
      let web = try await cellar.node("web@main", network: household.network(host: "cellar"))
      let stream = await web.states(Level.self)
      for round in 1...3 {
        let meter = try await attic.node(
          "meter@main", network: household.network(host: "attic", seeds: [household.seed]))
        await meter.publish(Level(value: round))
        #expect(await eventually(equals: round) { await web.snapshot(of: Level.self).last?.value.value })
        await meter.die()
      }
      _ = stream
      await web.close()
    }
  }
}
