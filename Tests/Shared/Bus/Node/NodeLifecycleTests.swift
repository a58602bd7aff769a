import Glibc
import Messages
import Model
import Synchronization
import TestSupport
import Testing

@testable import Bus

extension Nodes {
  /// Nodes and subscriptions that are released or closed.
  @Suite struct NodeLifecycleTests {
    /// An object that a closure holds.
    private final class Token: Sendable {}

    @Test func aNodeThatIsLetGoEndsWithItsThreadAndItsStreams() async throws {
      let bus = try TestBus()
      weak var thread: IOThread?
      weak var gone: Node?
      var states: AsyncStream<[Observed<Level>]>?
      var frames: AsyncStream<Frame>?
      do {
        let node = try await bus.node("meter@main")
        (gone, thread) = (node, node.thread)
        states = await node.states(Level.self)
        frames = await node.tap()
        await node.publish(Level(value: 1))
      }
      #expect(await eventually { gone == nil && thread == nil })
      if let states { for await _ in states {} }
      if let frames { for await _ in frames {} }
      // The name is free again, although nobody closed the node.
      let again = try await bus.node("meter@main")
      await again.close()
    }

    @Test func aGuestNeedsNoClosing() async throws {
      let bus = try TestBus()
      weak var thread: IOThread?
      do {
        let client = Node.client(in: bus.directory)
        thread = client.thread
        #expect(await code { try await client.request(ReadMeter(), to: .library, within: .milliseconds(20)) } != nil)
      }
      #expect(await eventually { thread == nil })
    }

    @Test func aClosedNodeLetsGoOfItsHandlersAndFollowers() async throws {
      let bus = try TestBus()
      weak var held: Token?
      let node = try await bus.node("meter@main")
      do {
        let token = Token()
        held = token
        await node.serve(ReadMeter.self) { _, _ in
          withExtendedLifetime(token) {}
          return ""
        }
        await node.follow("meter", from: .head) { _ in withExtendedLifetime(token) {} }
      }
      #expect(held != nil)
      await node.close()
      #expect(await eventually { held == nil })
      await node.close()
      #expect(await code { try await node.request(ReadMeter(), to: .library) } == "bus.closed")
    }

    @Test func whatIsOpenWhenANodeClosesIsAnErrorAtOnce() async throws {
      let bus = try TestBus()
      let node = try await bus.node("web@main")
      let asking = Task { await code { try await node.request(ReadMeter(), to: .library, within: .seconds(60)) } }
      #expect(await eventually { await node.look { $0.outgoing.table.isWaiting(for: .library) } })
      await node.close()
      #expect(await asking.value == "bus.closed")
    }

    @Test func aRequestThatIsBeingHandledWhenItsNodeClosesIsStillAnswered() async throws {
      let bus = try TestBus()
      let meter = try await bus.node("meter@main")
      let (arrivals, arrived) = AsyncStream.makeStream(of: Void.self)
      await meter.serve(ReadMeter.self) { _, _ in
        arrived.yield()
        return await eventually { await meter.isClosed } ? "done" : "never closed"
      }
      let client = Node.client(in: bus.directory)
      async let answer = client.request(ReadMeter(), to: meter.id)
      for await _ in arrivals { break }
      await meter.close()
      #expect(try await answer == "done")
    }

    @Test func aNodeThatCannotStartLeavesItsNameFree() async throws {
      let bus = try TestBus()
      let id = try #require(NodeID("meter@main"))
      // A directory at the path of the inbox.
      let inbox = "\(bus.directory.path)/\(id).inbox"
      #expect(mkdir(inbox, 0o700) == 0)
      #expect(await code { try await bus.node("meter@main") } == "bus.cannotUseDirectory")
      #expect(rmdir(inbox) == 0)
      let node = try await bus.node("meter@main")
      await node.close()
    }
  }
}

@Suite struct IOThreadTests {
  private actor Worker {
    nonisolated let thread: IOThread
    nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }
    private(set) var fired = 0

    init(_ thread: IOThread) { self.thread = thread }
    deinit { thread.stop() }

    func name() -> UInt { UInt(pthread_self()) }

    func fire(after delay: Duration?) {
      thread.schedule(at: delay.map { .now + $0 }) { [weak self] in self?.assumeIsolated { $0.fired += 1 } }
    }

    func watch(_ descriptor: Int32, _ said: AsyncStream<UInt8>.Continuation) {
      thread.watch(descriptor) {
        var byte: UInt8 = 0
        if read(descriptor, &byte, 1) == 1 { said.yield(byte) }
      }
    }

    func ignore(_ descriptor: Int32) { thread.ignore(descriptor) }
  }

  @Test func allOfAnActorsWorkRunsOnItsOneThread() async {
    let worker = Worker(IOThread())
    let names = await withTaskGroup(of: UInt.self) { group in
      for _ in 0..<500 { group.addTask { await worker.name() } }
      return await group.reduce(into: Set()) { $0.insert($1) }
    }
    #expect(names.count == 1)
    #expect(names.first != UInt(pthread_self()))
  }

  @Test func theThreadEndsWithItsActor() async {
    weak var gone: IOThread?
    do {
      let thread = IOThread()
      gone = thread
      let worker = Worker(thread)
      _ = await worker.name()
    }
    #expect(await eventually { gone == nil })
  }

  @Test func anAlarmGoesOffOnceAndANewOneReplacesIt() async {
    let worker = Worker(IOThread())
    await worker.fire(after: .seconds(60))
    await worker.fire(after: .milliseconds(5))
    #expect(await eventually(equals: 1) { await worker.fired })
    await worker.fire(after: .milliseconds(1))
    await worker.fire(after: nil)
    _ = await worker.name()
    #expect(await worker.fired <= 2)
    await worker.fire(after: .zero)
    #expect(await eventually(atLeast: 2) { await worker.fired })
  }

  @Test func aWatchedDescriptorIsReadOnTheThreadUntilItIsIgnored() async {
    var ends: [Int32] = [0, 0]
    #expect(pipe(&ends) == 0)
    let (bytes, said) = AsyncStream.makeStream(of: UInt8.self)
    let worker = Worker(IOThread())
    await worker.watch(ends[0], said)
    var iterator = bytes.makeAsyncIterator()
    for byte in UInt8(1)...20 {
      #expect(write(ends[1], [byte], 1) == 1)
      #expect(await iterator.next() == byte)
    }
    await worker.ignore(ends[0])
    #expect(write(ends[1], [99], 1) == 1)
    said.finish()
    #expect(await iterator.next() == nil)
    for end in ends { close(end) }
  }

  @Test func absurdDurationsDoNotCrash() {
    #expect(Duration.seconds(Int64.max).nanoseconds == .max)
    #expect(Duration.seconds(Int64.min).nanoseconds == .min)
    #expect(Duration.milliseconds(1500).nanoseconds == 1_500_000_000)
    #expect(Duration.milliseconds(-1500).milliseconds == Milliseconds(-1500))
  }
}
