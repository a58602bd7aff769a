import Testing

@testable import Mpd

@Suite struct LineReaderTests {
  private func lines(_ parts: [String]) throws -> [String] {
    var reader = LineReader()
    var lines: [String] = []
    for part in parts {
      reader.append(Array(part.utf8))
      while let line = try reader.next() { lines.append(String(decoding: line, as: UTF8.self)) }
    }
    return lines
  }

  @Test func aLineThatArrivesInPartsIsOneLine() throws {
    #expect(try lines(["sta", "tus\npi", "ng\n", "idle"]) == ["status", "ping"])
  }

  @Test func aCarriageReturnBelongsToTheEndOfTheLine() throws {
    #expect(try lines(["ping\r\n\nplay\n"]) == ["ping", "", "play"])
  }

  @Test func tenMegabytesWithoutAnEndAreRefusedAfterEightKilobytes() throws {
    var reader = LineReader()
    var accepted = 0
    #expect(throws: LineReader.Failure.lineTooLong) {
      for _ in 0..<10_000 {
        reader.append([UInt8](repeating: 97, count: 1024))
        accepted += 1024
        _ = try reader.next()
      }
    }
    #expect(accepted <= LineReader.lineLimit + 1024)
  }

  @Test func aLongLineThatHasAnEndIsRefusedAsWell() throws {
    var reader = LineReader()
    reader.append([UInt8](repeating: 97, count: LineReader.lineLimit + 1) + [10])
    #expect(throws: LineReader.Failure.lineTooLong) { _ = try reader.next() }
  }
}
