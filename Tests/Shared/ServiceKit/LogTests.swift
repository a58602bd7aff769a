import Glibc
import FoundationEssentials
import Model
import Testing

@testable import ServiceKit

@Suite struct LogTests {
  /// Returns the text that a log writes to its descriptor.
  private func written(_ environment: [String: String] = [:], _ body: (Log) -> Void) throws -> String {
    var ends: [Int32] = [0, 0]
    #expect(pipe(&ends) == 0)
    body(Log(source: "library", settings: try Settings(environment: environment), descriptor: ends[1]))
    close(ends[1])
    defer { close(ends[0]) }
    var bytes = [UInt8](repeating: 0, count: 65_536)
    let count = read(ends[0], &bytes, bytes.count)
    return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
  }

  @Test func anEventIsOneLineWithItsTimeLevelAndFields() throws {
    let text = try written { $0.warning("The folder is gone.", ["path": "/m", "code": "library.folderMissing"]) }
    #expect(text.hasSuffix(" warning: The folder is gone.  path=/m  code=library.folderMissing\n"))
    #expect(text.prefix(8).split(separator: ":").count == 3)
    #expect(try written { $0.info("ready") }.hasSuffix(" ready\n"))
  }

  @Test func whatEndsALineOrSteersATerminalDoesNotGetThere() throws {
    let nasty = "a\nb\rc\u{1b}[31md\u{7f}e\u{9b}2Jf\u{2028}g\u{202e}h\u{0}i é☂"
    let text = try written { $0.error(nasty, ["file": nasty]) }
    let scalars = text.unicodeScalars.dropLast()
    #expect(
      !scalars.contains { $0.value < 32 || (127..<160).contains($0.value) || $0.value == 0x2028 || $0.value == 0x202e })
    #expect(text.hasSuffix("i é☂\n"))
    #expect(text.split(separator: "\n").count == 1)
  }

  @Test func whatReordersOrHidesTextIsNeutralisedAsOnTheCommandLine() throws {
    // The marks of a direction, embeddings and isolates, invisible characters, and tags that hide ASCII.
    let nasty = "a\u{200e}b\u{200f}c\u{61c}d\u{202e}e\u{2066}f\u{feff}g\u{2060}h\u{e0041}i\u{ad}j\u{fff9}k"
    let text = try written { $0.error(nasty, ["file": nasty]) }
    #expect(text.hasSuffix(" error: abcd\u{FFFD}e\u{FFFD}fghijk  file=abcd\u{FFFD}e\u{FFFD}fghijk\n"), "\(text)")
    let json = try written(["LUNARA_LOG_FORMAT": "json"]) { $0.error(nasty, ["file": nasty]) }
    #expect(json.contains(#"a\u200eb\u200fc"#) && json.contains(#"h\udb40\udc41i"#), "\(json)")
    struct Line: Decodable {
      var message: String
      var fields: [String: String]
    }
    let line = try JSONDecoder().decode(Line.self, from: Data(json.utf8))
    #expect(line.message == nasty && line.fields == ["file": nasty])
    // Joiners stay where words and pictures need them.
    #expect(try written { $0.info("نمی\u{200c}خواهم 👩\u{200d}🎤") }.hasSuffix(" نمی\u{200c}خواهم 👩\u{200d}🎤\n"))
  }

  @Test func onlyEventsOfTheLevelAreWritten() throws {
    func lines(_ level: String?) throws -> Int {
      try written(level.map { ["LUNARA_LOG": $0] } ?? [:]) { log in
        log.debug("d")
        log.info("i")
        log.warning("w")
        log.error("e")
      }.split(separator: "\n").count
    }
    #expect(try [lines("debug"), lines("info"), lines("warning"), lines("error")] == [4, 3, 2, 1])
    #expect(try [lines(nil), lines("nonsense")] == [3, 3])
  }

  @Test func anErrorShowsItsCodeAndCause() throws {
    let error = LunaraError("storage.full", "The disk is full.", cause: "ENOSPC")
    #expect(try written { $0.error(error) }.hasSuffix(" error: The disk is full.  code=storage.full  cause=ENOSPC\n"))
    #expect(try written { $0.warning(LunaraError("a.b", "c") as any Error) }.hasSuffix(" warning: c  code=a.b\n"))
  }

  @Test func jsonIsOneObjectALine() throws {
    let text = try written(["LUNARA_LOG_FORMAT": "json"]) { $0.error("two\nlines \u{1b}", ["file": "/a\"b"]) }
    struct Line: Decodable {
      var time: Timestamp
      var level: String
      var service: String
      var message: String
      var fields: [String: String]
    }
    #expect(text.split(separator: "\n").count == 1)
    #expect(!text.unicodeScalars.dropLast().contains { $0.value < 32 })
    let line = try JSONDecoder().decode(Line.self, from: Data(text.utf8))
    #expect(line.level == "error")
    #expect(line.service == "library")
    #expect(line.message == "two\nlines \u{1b}")
    #expect(line.fields == ["file": "/a\"b"])
  }

  @Test func linesOfManyThreadsDoNotMix() async throws {
    var ends: [Int32] = [0, 0]
    #expect(pipe(&ends) == 0)
    let log = Log(source: "x", settings: try Settings(environment: [:]), descriptor: ends[1])
    await withTaskGroup(of: Void.self) { group in
      for number in 0..<200 { group.addTask { log.info(String(repeating: "\(number % 10)", count: 100)) } }
    }
    close(ends[1])
    var bytes = [UInt8](repeating: 0, count: 65_536)
    let count = read(ends[0], &bytes, bytes.count)
    close(ends[0])
    let lines = String(decoding: bytes.prefix(max(0, count)), as: UTF8.self).split(separator: "\n")
    #expect(lines.count == 200)
    #expect(lines.allSatisfy { $0.utf8.count == 109 && Set($0.suffix(100)).count == 1 })
  }
}
