import Testing

@testable import Mpd

@Suite struct ProtocolLinesTests {
  private func lines(_ parts: [String]) throws -> [String] {
    var reader = ProtocolLines()
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
    var reader = ProtocolLines()
    var accepted = 0
    #expect(throws: ProtocolLines.Failure.lineTooLong) {
      for _ in 0..<10_000 {
        reader.append([UInt8](repeating: 97, count: 1024))
        accepted += 1024
        _ = try reader.next()
      }
    }
    #expect(accepted <= ProtocolLines.lineLimit + 1024)
  }

  @Test func aLongLineThatHasAnEndIsRefusedAsWell() throws {
    var reader = ProtocolLines()
    reader.append([UInt8](repeating: 97, count: ProtocolLines.lineLimit + 1) + [10])
    #expect(throws: ProtocolLines.Failure.lineTooLong) { _ = try reader.next() }
  }
}
