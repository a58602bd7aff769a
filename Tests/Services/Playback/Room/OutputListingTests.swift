import Bus
import Messages
import Model
import ServiceKit
import Storage
import Synchronization
import TestSupport
import Testing

@testable import lunara_playback

/// An engine that lists its outputs when a test tells it to.
private final class ListingEngine: Engine {
  let pace = Pace.steady(1)
  let reports: AsyncStream<EngineReport>
  private let continuation: AsyncStream<EngineReport>.Continuation
  private let asked = Mutex(0)

  init() { (reports, continuation) = AsyncStream.makeStream() }

  /// The number of times that a list was asked for.
  var count: Int { asked.withLock { $0 } }

  func send(_ command: EngineCommand) { if command == .listDevices { asked.withLock { $0 += 1 } } }

  func list(_ names: String...) {
    continuation.yield(
      EngineReport(event: .devices(names.map { Playback.OutputDevice(name: $0, title: $0) }), at: .now()))
  }

  func close() async { continuation.finish() }
}

/// Requests that wait for the list of outputs.
@Suite(.timeLimit(.minutes(1)))
struct OutputListingTests {
  @Test func aTimerOfAnEarlierRequestDoesNotAnswerALaterOne() async throws {
    let bus = try TestBus()
    let client = try await bus.node("test@main")
    let database = try bus.database("playback-kitchen", migrations: QueueStore.migrations)
    let journal = try await Journal(database)
    let node = try await Node.start(.playback(.kitchen), in: bus.directory, journal: journal)
    let engine = ListingEngine()
    let service = try await PlaybackService(
      room: .kitchen, host: "here", engine: engine, database: database, journal: journal, node: node, log: .quiet)
    await service.start()
    func read() async throws -> [String] {
      try await client.request(Playback.ReadOutput(), to: node.id, within: .seconds(30)).devices.map(\.name)
    }
    async let first = read()
    #expect(await eventually(equals: 1) { engine.count })
    let number = await service.room.deviceWait.number
    engine.list("alsa/dac")
    #expect(try await first == ["alsa/dac"])
    async let second = read()
    #expect(await eventually(equals: 2) { engine.count })
    // The timer of the first request had run out just when the list came.
    service.room.inbox.yield { room, now in await room.deviceTimeoutEnded(ofWait: number, at: now) }
    engine.list("alsa/dac", "alsa/hdmi")
    #expect(try await second == ["alsa/dac", "alsa/hdmi"])
    await service.stop()
    for node in [node, client] { await node.close() }
    await database.close()
  }
}
