import Testing

@testable import Bus

@Suite struct SPMessageReaderTests {
  private func read(_ bytes: [UInt8], limit: Int = 100, at once: Int = .max) throws -> [[UInt8]] {
    var reader = SPMessageReader(from: .publisher)
    var (messages, rest): ([[UInt8]], ArraySlice<UInt8>) = ([], bytes[...])
    while !rest.isEmpty {
      Array(rest.prefix(once)).withUnsafeBytes { reader.append($0) }
      rest = rest.dropFirst(once)
      while let message = try reader.next(limit: limit) { messages.append(Array(message)) }
    }
    return messages
  }

  private static let two =
    SPSocketKind.publisher.greeting + SPMessageReader.encode(header: [], Array("one".utf8))
    + SPMessageReader.encode(header: [], []) + SPMessageReader.encode(header: [1], [2, 3])

  @Test(arguments: [1, 3, 8, 9, 16, 1000]) func messagesAreWholeHoweverTheirBytesArrive(at once: Int) throws {
    #expect(try read(Self.two, at: once) == [Array("one".utf8), [], [1, 2, 3]])
  }

  @Test func anUnfinishedMessageIsNotReturned() throws {
    for count in 0..<Self.two.count - 3 { #expect(try read(Array(Self.two.prefix(count))).count < 3) }
  }

  @Test(arguments: [Array("GET / HTTP/1.1".utf8), SPSocketKind.asker.greeting, [0, 0x53, 0x50, 1]])
  func anotherProtocolIsRefusedAtItsFirstWrongByte(bytes: [UInt8]) {
    #expect(throws: SPMessageReader.Failure.wrongGreeting) { try read(bytes) }
  }

  @Test(arguments: [101, UInt64.max, 1 << 63]) func aLengthBeyondTheLimitIsRefusedBeforeItsBytesCome(length: UInt64) {
    var bytes = SPSocketKind.publisher.greeting
    bytes.append(bigEndian: length)
    #expect(throws: SPMessageReader.Failure.tooLarge) { try read(bytes) }
  }

  @Test func theHeaderOfARequestEndsWithTheFirstNumberWhoseTopBitIsSet() {
    #expect(SPMessageReader.headerLength(of: [0x80, 0, 0, 1, 9]) == 4)
    #expect(SPMessageReader.headerLength(of: [0, 0, 0, 7, 0xff, 0, 0, 1]) == 8)
    for bytes: [UInt8] in [[], [0x80, 0, 0], [0, 0, 0, 7], [UInt8](repeating: 0, count: 100)] {
      #expect(SPMessageReader.headerLength(of: bytes[...]) == nil)
    }
  }
}
