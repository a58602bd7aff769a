import Messages
import Model
import Storage
import Synchronization
import TestSupport
import Testing

@testable import Bus

extension Nodes {
  @Suite struct NodeRequestsTests {
    @Test func aRequestThatIsCancelledEndsAndLeavesNothingBehind() async throws {
      let bus = try TestBus()
      let meter = try await bus.node("meter@main")
      let (arrivals, arrived) = AsyncStream.makeStream(of: Void.self)
      await meter.serve(ReadMeter.self) { _, _ in
        arrived.yield()
        try await Task.sleep(for: .seconds(60))
        return ""
      }
      let client = Node.client(in: bus.directory)
      let asking = Task { await code { try await client.request(ReadMeter(), to: meter.id, within: .seconds(60)) } }
      for await _ in arrivals { break }
      asking.cancel()
      #expect(await asking.value == "bus.cancelled")
      #expect(await client.look { $0.outgoing.isIdle })
      #expect(await client.look { $0.outgoing.table.pending.isEmpty })
      await meter.close()
    }

    @Test func aRequestOfATaskThatIsCancelledAlreadyNeverHangs() async throws {
      let bus = try TestBus()
      let client = Node.client(in: bus.directory)
      for _ in 0..<100 {
        let asking = Task { await code { try await client.request(ReadMeter(), to: .library, within: .seconds(60)) } }
        asking.cancel()
        #expect(await asking.value == "bus.cancelled")
      }
      #expect(await client.look { $0.outgoing.table.pending.isEmpty })
    }

    @Test func oversizedRequestsAndAnswersAreTypedErrors() async throws {
      let bus = try TestBus()
      let meter = try await bus.node("meter@main")
      await meter.serve(ReadMeter.self) { request, _ in
        if request.words == "fail" {
          throw LunaraError("meter.broken", "x", cause: String(repeating: "x", count: Frame.sizeLimit))
        }
        return String(repeating: "x", count: Frame.sizeLimit)
      }
      let client = Node.client(in: bus.directory)
      let large = String(repeating: "x", count: Frame.sizeLimit)
      #expect(await code { try await client.request(ReadMeter(words: large), to: meter.id) } == "bus.frameTooLarge")
      #expect(await code { try await client.request(ReadMeter(), to: meter.id) } == "bus.frameTooLarge")
      #expect(await code { try await client.request(ReadMeter(words: "fail"), to: meter.id) } == "bus.frameTooLarge")
      #expect(await client.look { $0.outgoing.table.pending.isEmpty })
      await meter.close()
    }

    @Test func anEarlyRequestWaitsForItsHandler() async throws {
      let bus = try TestBus()
      let meter = try await bus.node("meter@main")
      let client = Node.client(in: bus.directory)
      async let answer = client.request(ReadMeter(), to: meter.id)
      #expect(await eventually(equals: 1) { await meter.look { $0.incoming.unserved[ReadMeter.kind]?.count } })
      await meter.serve(ReadMeter.self) { _, _ in "late" }
      #expect(try await answer == "late")
      await meter.close()
    }

    @Test func aRequestWithoutAHandlerIsRefusedAfterAWhile() async throws {
      let bus = try TestBus()
      let meter = try await bus.node("meter@main", tuning: .init(grace: .milliseconds(50)))
      let client = Node.client(in: bus.directory)
      #expect(await code { try await client.request(ReadMeter(), to: meter.id) } == "bus.unknownRequest")
      #expect(await code { try await client.request(ReadMeter(), to: meter.id) } == "bus.unknownRequest")
      #expect(await meter.look { $0.incoming.open.isEmpty })
      await meter.close()
    }

    @Test func aCommandSentAgainWhileItRunsWaitsForItsOneRun() async throws {
      let bus = try TestBus()
      let meter = try await bus.node("meter@main")
      let runs = Mutex(0)
      let (gate, open) = AsyncStream.makeStream(of: Void.self)
      await meter.serve(Strike.self) { request, _ in
        runs.withLock { $0 += 1 }
        for await _ in gate { break }
        return request.number
      }
      let (first, second) = (Node.client(in: bus.directory), Node.client(in: bus.directory))
      let id = RequestID.random()
      async let one = first.request(Strike(number: 5), to: meter.id, id: id)
      #expect(await eventually(equals: 1) { runs.withLock { $0 } })
      // The second client sends the same command, and the first one repeats it every quarter of a second. The answer
      // goes to both.
      async let two = second.request(Strike(number: 5), to: meter.id, id: id)
      #expect(await eventually(equals: true) { await second.look { $0.outgoing.table.pending.values.first?.wasSent } })
      open.finish()
      #expect(try await one == 5)
      #expect(try await two == 5)
      #expect(runs.withLock { $0 } == 1)
      await meter.close()
    }

    @Test func aFloodedRequestSocketRefusesWhatIsTooMuchAndWorksAgainAfterwards() async throws {
      let bus = try TestBus()
      let meter = try await bus.node("meter@main")
      let (gate, open) = AsyncStream.makeStream(of: Void.self)
      let release = Task { for await _ in gate {} }
      await meter.serve(ReadMeter.self) { request, _ in
        if request.words == "wait" { await release.value }
        return "done"
      }
      let client = Node.client(in: bus.directory)
      let codes = await withTaskGroup(of: String?.self) { group in
        for _ in 0..<1200 {
          group.addTask {
            await code { try await client.request(ReadMeter(words: "wait"), to: meter.id, within: .seconds(30)) }
          }
        }
        var codes: [String?] = []
        for await code in group {
          codes.append(code)
          // Requests over the limit are refused at once; then the others are released.
          if codes.count == 1200 - IncomingRequests.limit { open.finish() }
        }
        return codes
      }
      #expect(codes.count { $0 == "bus.busy" } == 1200 - IncomingRequests.limit)
      #expect(codes.count { $0 == nil } == IncomingRequests.limit)
      #expect(try await client.request(ReadMeter(), to: meter.id) == "done")
      #expect(await meter.look { $0.incoming.open.isEmpty })
      await meter.close()
    }

    @Test func garbageOnEitherSocketIsCountedAndNothingElse() async throws {
      let bus = try TestBus()
      let meter = try await bus.node("meter@main")
      await meter.serve(ReadMeter.self) { _, _ in "fine" }
      let publisher = try Socket(.publisher)
      let connection = try Socket(.connection)
      _ = try publisher.connect(bus.directory.inbox(of: meter.id))
      _ = try connection.connect(bus.directory.requestAddress(of: meter.id))
      let frames: [[UInt8]] = [
        [], [0], Array("garbage".utf8), Array("a.".utf8) + [0, 0x10], Array("a.".utf8) + [0, 0x10] + Array("{}".utf8),
        try Frame(topic: "bus.x.hello.", body: Invented.envelope(kind: "bus.hello", payload: "{}").encoded()).encoded(),
        try Frame(topic: "bus.x.heartbeat.", body: Invented.envelope(kind: "bus.heartbeat", payload: "[").encoded())
          .encoded(),
      ]
      var sent = 0
      #expect(
        await eventually {
          for (number, frame) in frames.enumerated() {
            publisher.send(frame)
            if connection.send(frame, header: UInt32(0x8000_0000 + UInt32(number)).bytes) { sent += 1 }
          }
          return await meter.meter.badFrames > 20
        })
      #expect(sent > 0)
      let client = Node.client(in: bus.directory)
      #expect(try await client.request(ReadMeter(), to: meter.id) == "fine")
      await meter.close()
    }

    @Test func aHeartbeatInTheNameOfNobodyLeavesNothingBehind() async throws {
      let bus = try TestBus()
      let meter = try await bus.node("meter@main")
      let publisher = try Socket(.publisher)
      _ = try publisher.connect(bus.directory.inbox(of: meter.id))
      let word = try MessageCoding.encode(Heartbeat(presence: Invented.presence()))
      let frame = Frame(
        topic: "playback.kitchen.heartbeat.",
        body: Invented.envelope(kind: Heartbeat.kind, payload: String(decoding: word, as: UTF8.self)).encoded())
      let bytes = try frame.encoded()
      #expect(
        await eventually {
          publisher.send(bytes)
          return await meter.meter.received.signals.frames > 5
        })
      #expect(await meter.look { $0.membership.isEmpty && $0.transport.connections.isEmpty })
      await meter.close()
    }

    @Test func fiftyLargeAnswersArriveThoughTheBuffersHoldFewOfThem() async throws {
      let bus = try TestBus()
      let tuning = Node.Tuning(bufferSize: 208 * 1024)
      let meter = try await bus.node("meter@main", tuning: tuning)
      let asker = try await bus.node("web@main", tuning: tuning)
      await meter.serveLargeAnswers()
      #expect(try await asker.fiftyLargeAnswers(of: meter.id) == Set((0..<50).map { "\($0)." }))
      await meter.close()
      await asker.close()
    }

    @Test func anAnswerThatWasLostIsSentAgainFromMemory() async throws {
      let bus = try TestBus()
      // Buffers so small that most of many large answers are lost at first.
      let tuning = Node.Tuning(bufferSize: 16 * 1024)
      let meter = try await bus.node("meter@main", tuning: tuning)
      let runs = Mutex(0)
      await meter.serve(ReadMeter.self) { request, _ in
        runs.withLock { $0 += 1 }
        return request.words + String(repeating: "x", count: 40_000)
      }
      let asker = try await bus.node("web@main", tuning: tuning)
      await withTaskGroup(of: Bool.self) { group in
        for number in 0..<30 {
          group.addTask {
            (try? await asker.request(ReadMeter(words: "\(number)"), to: meter.id, within: .seconds(30)))?.hasPrefix(
              "\(number)x") == true
          }
        }
        for await isRight in group { #expect(isRight) }
      }
      #expect(runs.withLock { $0 } == 30)
      await asker.close()
      await meter.close()
    }
  }
}
