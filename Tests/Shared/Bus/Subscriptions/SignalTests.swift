import Messages
import Model
import Synchronization
import TestSupport
import Testing

@testable import Bus

extension Nodes {
  @Suite struct NodeSignalsTests {
    /// Sends a signal every few milliseconds until the task ends; no single one has to arrive.
    private func say<S: Signal>(_ signal: S, by node: Node) -> Task<Void, Never> {
      Task {
        while !Task.isCancelled {
          await node.emit(signal)
          try? await Task.sleep(for: .milliseconds(5))
        }
      }
    }

    @Test func whoListensHearsItsKindAndTheOthersAreNotAskedToSay() async throws {
      let bus = try TestBus()
      let (meter, reader) = (try await bus.node("meter@main"), try await bus.node("web@main"))
      let clicks = await reader.signals(Click.self)
      #expect(await eventually { await meter.roster.someoneWantsSignals })
      let speech = [say(Buzz(), by: meter), say(Click(number: 7), by: meter)]
      for await click in clicks {
        #expect(click.value.number == 7)
        #expect(click.node == meter.id)
        break
      }
      for task in speech { task.cancel() }
      await meter.close()
      await reader.close()
    }

    @Test func whoStopsListeningIsSentNoMoreSignals() async throws {
      let bus = try TestBus()
      let (meter, reader) = (try await bus.node("meter@main"), try await bus.node("web@main"))
      let listening = Task { for await _ in await reader.signals(Click.self) {} }
      #expect(await eventually { await meter.roster.someoneWantsSignals })
      listening.cancel()
      #expect(await eventually { await !meter.roster.someoneWantsSignals })
      #expect(await eventually { await reader.look { $0.signals.isEmpty } })
      await meter.close()
      await reader.close()
    }

    @Test func whoHearsWithAClosureNeedsNoTaskOfItsOwn() async throws {
      let bus = try TestBus()
      let (meter, reader) = (try await bus.node("meter@main"), try await bus.node("web@main"))
      let heard = Mutex(0)
      await reader.onSignal(Click.self) { click in heard.withLock { $0 = click.value.number } }
      #expect(await eventually { await meter.roster.someoneWantsSignals })
      let speech = say(Click(number: 9), by: meter)
      #expect(await eventually(equals: 9) { heard.withLock { $0 } })
      speech.cancel()
      await meter.close()
      await reader.close()
    }

    @Test func aSignalOfAnotherFormIsPassedOver() async throws {
      let bus = try TestBus()
      let (meter, reader) = (try await bus.node("meter@main"), try await bus.node("web@main"))
      let clicks = await reader.signals(Click.self)
      #expect(await eventually { await meter.roster.someoneWantsSignals })
      let speech = Task {
        while !Task.isCancelled {
          try await meter.publishSignal(Array("{}".utf8), kind: Click.kind)
          await meter.emit(Click(number: 1))
          try? await Task.sleep(for: .milliseconds(5))
        }
      }
      for await click in clicks {
        #expect(click.value.number == 1)
        if await reader.meter.badFrames > 0 { break }
      }
      speech.cancel()
      await meter.close()
      await reader.close()
    }

    @Test func aListenerEndsWithItsNode() async throws {
      let bus = try TestBus()
      let reader = try await bus.node("web@main")
      let clicks = await reader.signals(Click.self)
      await reader.close()
      for await _ in clicks {}
      for await _ in await reader.signals(Click.self) {}
    }
  }
}

private struct Click: Signal {
  static let kind = "meter.click"
  var number: Int
}

private struct Buzz: Signal {
  static let kind = "meter.buzz"
}

extension Nodes {
  /// Tokens and signed addresses travel in requests and answers only, which no tap receives.
  @Suite struct TapSecrecyTests {
    @Test func aTapSeesThatARequestWasHandledAndNothingOfWhatItSaid() async throws {
      let bus = try TestBus()
      let meter = try await bus.node("meter@a")
      await meter.serve(ReadMeter.self) { request, _ in
        guard request.words.hasSuffix("?") else { throw LunaraError("test.refused", "secret-refusal of the meter") }
        return "secret-answer"
      }
      let tap = try await bus.node("tap@p1")
      let frames = await tap.tap()
      let asker = try await bus.node("reader@main")
      #expect(await eventually { await meter.look { $0.roster.someoneWantsSignals } })
      #expect(try await asker.request(ReadMeter(words: "secret-question?"), to: meter.id) == "secret-answer")
      #expect(
        await code { try await asker.request(ReadMeter(words: "secret-question"), to: meter.id) } == "test.refused")
      var outcomes: [String] = []
      for await frame in frames {
        let text = String(decoding: frame.body, as: UTF8.self)
        #expect(!text.contains("secret"), "\(text)")
        let envelope = try Envelope(decoding: frame.body)
        #expect(envelope.delivery != .request)
        guard envelope.kind == RequestHandled.kind else { continue }
        let handled = try MessageCoding.decode(RequestHandled.self, from: envelope.payload)
        if handled.request == ReadMeter.kind { outcomes.append(handled.outcome) }
        if outcomes.count == 2 { break }
      }
      #expect(outcomes == ["done", "test.refused"])
    }
  }
}
