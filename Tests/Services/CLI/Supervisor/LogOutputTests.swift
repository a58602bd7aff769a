import System
import Glibc
import Testing

@testable import lunara

/// A slow reader of the log never blocks the services.
struct LogOutputTests {
  @Test func droppedLinesAreCountedAndReported() throws {
    let pipe = try Descriptor.pipe()
    let output = LogOutput(pipe.write.number, capacity: 20)
    for line in ["0123456789", "abcdefgh", "lost", "lost too"] { output.add(Array(line.utf8)) }
    output.finish(patience: 0)
    output.add(Array("after".utf8))
    output.finish(patience: 0)
    pipe.write.close()
    var text: [UInt8] = []
    while case .bytes(let bytes) = pipe.read.read() { text += bytes }
    #expect(String(decoding: text, as: UTF8.self) == "0123456789\nabcdefgh\n… 2 lines were left out …\nafter\n")
  }

  @Test func droppedLinesAreReportedWithoutAFurtherLine() throws {
    let pipe = try Descriptor.pipe()
    let output = LogOutput(pipe.write.number, capacity: 20)
    for line in ["0123456789", "does not fit"] { output.add(Array(line.utf8)) }
    output.finish(patience: 0)
    pipe.write.close()
    var text: [UInt8] = []
    while case .bytes(let bytes) = pipe.read.read() { text += bytes }
    #expect(String(decoding: text, as: UTF8.self) == "0123456789\n… 1 line was left out …\n")
  }

  @Test func aReaderThatDoesNotReadIsNotWaitedFor() throws {
    let pipe = try Descriptor.pipe()
    let output = LogOutput(pipe.write.number, capacity: 1 << 20)
    for _ in 0..<500 { output.add([UInt8](repeating: 65, count: 1000)) }
    output.finish(patience: 0)
    #expect(output.hasPending)
  }

  @Test func aClosedReaderGetsNoMoreLines() throws {
    signal(SIGPIPE, SIG_IGN)
    let pipe = try Descriptor.pipe()
    pipe.read.close()
    let output = LogOutput(pipe.write.number)
    output.add([65])
    output.finish(patience: 0)
    output.add([66])
    #expect(!output.hasPending)
  }
}
