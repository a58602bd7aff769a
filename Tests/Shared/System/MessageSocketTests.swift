import Glibc
import Testing

@testable import System

/// Messages between two processes of a host.
@Suite struct MessageSocketTests {
  @Test func messagesArriveAsTheyWereSentWithTheirDescriptors() throws {
    let (here, there) = try MessageSocket.pair()
    let file = try Descriptor(opening: "/proc/self/status", O_RDONLY)
    try here.send([1, 2, 3])
    try here.send([4], passing: file)
    let first = try #require(try there.receive())
    #expect(first.bytes == [1, 2, 3] && first.passed == nil)
    let second = try #require(try there.receive())
    let passed = try #require(second.passed)
    #expect(second.bytes == [4])
    #expect(passed.number != file.number)
    #expect(try passed.readBytes(upTo: 5) == Array("Name:".utf8))
  }

  @Test func theEndFollowsWhatWasSent() throws {
    let (here, there) = try MessageSocket.pair()
    try here.send([1])
    here.finish()
    #expect(try there.receive()?.bytes == [1])
    #expect(try there.receive()?.bytes == nil)
    // The other direction still works.
    try there.send([2])
    #expect(try here.receive()?.bytes == [2])
    there.descriptor.close()
    #expect(throws: Errno.self) { try here.send([3]) }
  }

  @Test func aSlowReceiverDoesNotBlockTheSender() throws {
    let (here, there) = try MessageSocket.pair()
    let message = [UInt8](repeating: 7, count: 50_000)
    #expect(throws: Errno.wouldBlock) { while true { try here.send(message) } }
    #expect(try there.receive()?.bytes == message)
  }

  @Test func aMessageThatIsTooLongIsRefused() throws {
    let (here, there) = try MessageSocket.pair()
    try here.send([UInt8](repeating: 7, count: MessageSocket.limit + 1))
    #expect(throws: Errno(EMSGSIZE)) { try there.receive() }
  }
}
