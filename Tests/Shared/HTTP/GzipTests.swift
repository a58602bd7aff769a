import HTTP
import Testing

@Suite struct GzipTests {
  @Test func compressedTextIsSmallWithHeaderAndLength() throws {
    let text = Array(String(repeating: "a shelf of records, ", count: 400).utf8)
    let packed = try #require(Gzip.pack(text))
    #expect(packed.count < text.count / 20)
    // RFC 1952, 2.3: the first two bytes identify the format, and the last four give the length of the contents.
    #expect(packed.starts(with: [0x1F, 0x8B, 8]))
    let length = packed.suffix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
    #expect(length == text.count)
  }

  @Test func incompressibleBytesAreLeftAsTheyAre() {
    var state: UInt64 = 1
    let noise = (0..<4096).map { _ -> UInt8 in
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return UInt8(truncatingIfNeeded: state >> 33)
    }
    #expect(Gzip.pack(noise) == nil)
    #expect(Gzip.pack([]) == nil)
    #expect(Gzip.pack([1, 2, 3]) == nil)
  }

  @Test(arguments: [
    ("gzip", true), ("gzip, deflate, br, zstd", true), ("deflate, GZIP;q=0.5", true), ("x-gzip", true), ("*", true),
    ("br, *;q=0.1", true), ("identity", false), ("", false), ("gzip;q=0", false), ("gzip; q=0.0, *", false),
    ("*;q=0", false), ("gzip;q=none", false),
  ])
  func gzipIsUsedWhereTheClientAcceptsIt(header: String, isAccepted: Bool) {
    #expect(Gzip.isAccepted(by: header) == isAccepted)
  }

  @Test func withoutTheHeaderTheBytesArePlain() { #expect(!Gzip.isAccepted(by: nil)) }
}
