import Messages
import Synchronization
import TestSupport
import Testing

@testable import Bus

extension Nodes {
  @Suite struct NodeSignalsTests {
    /// Says a signal each few milliseconds until the task ends: nobody has to hear any one of them.
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
      await reader.hear(Click.self) { click in heard.withLock { $0 = click.value.number } }
      #expect(await eventually { await meter.roster.someoneWantsSignals })
      let speech = say(Click(number: 9), by: meter)
      #expect(await eventually { heard.withLock { $0 == 9 } })
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
          await meter.send(signal: Array("{}".utf8), kind: Click.kind)
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
