import Testing

@testable import HTTP

@Suite struct ByteRangeTests {
  @Test(
    arguments: [
      ("bytes=0-0", 0..<1), ("bytes=0-", 0..<100), ("bytes=10-19", 10..<20), ("bytes=90-200", 90..<100),
      ("bytes=-1", 99..<100), ("bytes=-500", 0..<100), ("Bytes=99-", 99..<100),
      ("bytes=0-99999999999999999999999", 0..<100),
    ] as [(String, Range<UInt64>)])
  func aPartIsFound(_ header: String, _ range: Range<UInt64>) {
    #expect(ByteRange(header, length: 100) == .part(range))
  }

  @Test(arguments: [
    nil, "", "bytes", "bytes=", "bytes=-", "bytes=a-b", "bytes=5-4", "bytes=0-1,5-6", "bytes=+1-2", "lines=0-1",
    "bytes= 0-1", "bytes=0-1-2",
  ])
  func whatIsNoSingleRangeIsIgnored(_ header: String?) { #expect(ByteRange(header, length: 100) == .whole) }

  @Test(arguments: ["bytes=100-", "bytes=100-200", "bytes=-0", "bytes=99999999999999999999999-"])
  func bytesThatDoNotExistAreRefused(_ header: String) {
    #expect(ByteRange(header, length: 100) == .unsatisfiable)
  }

  @Test func nothingHasNoParts() {
    #expect(ByteRange("bytes=0-", length: 0) == .unsatisfiable)
    #expect(ByteRange("bytes=-5", length: 0) == .unsatisfiable)
  }
}
