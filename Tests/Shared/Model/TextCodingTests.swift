import Model
import Testing

@Suite struct TextCodingTests {
  @Test func hexadecimalDigitsAndBytesAreEachOthersInverse() {
    #expect(Hexadecimal.text([0, 15, 171, 255]) == "000fabff")
    #expect(Hexadecimal.bytes(of: "000fABff".utf8) == [0, 15, 171, 255])
    #expect(Hexadecimal.bytes(of: "0".utf8) == nil)
    #expect(Hexadecimal.bytes(of: "0g".utf8) == nil)
    #expect(Hexadecimal.text(0xab as UInt64) == "00000000000000ab")
  }

  @Test func allButUnreservedCharactersAreEscaped() {
    #expect(PercentCoding.encode("a-Z_0.~ é/,+%") == "a-Z_0.~%20%C3%A9%2F%2C%2B%25")
    #expect(PercentCoding.encode("a/b,c d", keeping: "/,") == "a/b,c%20d")
  }

  @Test func escapesAreDecodedAndBrokenOnesRefused() {
    #expect(PercentCoding.decode("a%20b+c%c3%A9") == Array("a b+cé".utf8))
    #expect(PercentCoding.decode("a+b", plusIsSpace: true) == Array("a b".utf8))
    #expect(PercentCoding.decode("%") == nil)
    #expect(PercentCoding.decode("%2") == nil)
    #expect(PercentCoding.decode("%2x") == nil)
  }
}
