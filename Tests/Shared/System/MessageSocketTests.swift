import Glibc
import Model
import System
import Testing

@Suite struct MessageSocketTests {
  @Test func messagesKeepTheirBordersAndDescriptors() throws {
    let (one, other) = try MessageSocket.pair()
    let file = try Descriptor.memoryFile("file")
    try file.write("hello")
    try one.send([1, 2], [file])
    try one.send([3])
    let first = try #require(try other.receive())
    #expect(first.bytes == [1, 2] && first.descriptors.count == 1)
    let received = try #require(first.descriptors.first)
    // Both descriptors are of the same open file, whose position they share.
    try received.rewind()
    #expect(try received.readToEnd(limit: 10) == Array("hello".utf8))
    let second = try #require(try other.receive(within: Milliseconds(10_000)))
    #expect(second.bytes == [3] && second.descriptors.isEmpty)
  }

  @Test func theEndAndSilenceAreToldApart() throws {
    let (one, other) = try MessageSocket.pair()
    #expect(throws: Errno.timedOut) { try other.receive(within: Milliseconds(1)) }
    try one.send([1])
    one.finishSending()
    #expect(try other.receive()?.bytes == [1])
    #expect(try other.receive() == nil)
    // The other direction is still open.
    try other.send([2])
    #expect(try one.receive()?.bytes == [2])
  }

  @Test func anEndThatIsClosedWithUnreadMessagesIsClosed() throws {
    let (one, other) = try MessageSocket.pair()
    try one.send([1])
    other.close()
    #expect(try one.receive() == nil)
    #expect(throws: Errno.brokenPipe) { try one.send([2]) }
  }

  @Test func aThreadThatWaitsForAMessageIsWokenWhenItsOwnEndFinishes() async throws {
    let (one, other) = try MessageSocket.pair()
    try other.send([1])
    let isOver = Monitor<Bool?>(nil)
    try SystemThread.start("receiver") {
      do {
        let first = try one.receive()
        let second = try one.receive()
        isOver.change { $0 = first?.bytes == [1] && second == nil }
      } catch {
        Issue.record(error)
        isOver.change { $0 = false }
      }
    }
    usleep(50_000)
    one.finish()
    #expect(isOver.wait(atMost: Milliseconds(40_000)) { $0 } == true)
    withExtendedLifetime(other) {}
  }

  @Test func whatIsTooMuchIsRefused() throws {
    let (one, other) = try MessageSocket.pair()
    let null = try Descriptor.null()
    #expect(throws: Errno.invalidArgument) {
      try one.send([1], Array(repeating: null, count: MessageSocket.descriptorLimit + 1))
    }
    try one.send([UInt8](repeating: 7, count: MessageSocket.sizeLimit + 1))
    #expect(throws: Errno.fileTooLarge) { try other.receive() }
    other.close()
    #expect(throws: (any Error).self) { try one.send([1]) }
  }

  @Test func aSlowReceiverDoesNotBlockASenderThatDoesNotWait() throws {
    let (one, other) = try MessageSocket.pair()
    let message = [UInt8](repeating: 7, count: 50_000)
    #expect(throws: Errno.wouldBlock) { while true { try one.send(message, waits: false) } }
    #expect(try other.receive()?.bytes == message)
  }
}
