import Digests
import Model
import System
import Testing

@Suite struct HashingTests {
  @Test func theHashOfATextIsThatOfTheReference() {
    // From the test suite of the hash's authors (isthe.com/chongo/src/fnv/test_fnv.c).
    #expect(FNV1a.hash("") == 0xcbf2_9ce4_8422_2325)
    #expect(FNV1a.hash("a") == 0xaf63_dc4c_8601_ec8c)
    #expect(FNV1a.hash("foobar") == 0x8594_4171_f739_67e8)
    var hash = FNV1a()
    hash.combine(littleEndian: 0x6f6f_66 as UInt32)
    #expect(hash.value == FNV1a.hash("foo\0"))
  }

  @Test func theNumbersOfASeedAreThoseOfTheReference() {
    // The first numbers for the seed 1234567, from Vigna's splitmix64.c.
    var generator = SplitMix64(state: 1_234_567)
    #expect(generator.next() == 6_457_827_717_110_365_317)
    #expect(generator.next() == 3_203_168_211_198_807_973)
    #expect(generator.next() == 9_817_491_932_198_370_423)
  }

  @Test func aQueueGivesElementsInTheOrderInWhichTheyCame() {
    var queue = FIFO<Int>()
    var taken: [Int?] = []
    for number in 1...5 { queue.append(number) }
    taken += [queue.popFirst(), queue.popFirst()]
    queue.append(6)
    #expect(queue.count == 4)
    while let next = queue.popFirst() { taken.append(next) }
    #expect(taken == [1, 2, 3, 4, 5, 6])
    #expect(queue.isEmpty)
  }
}

struct MD5Tests {
  /// RFC 1321, section A.5, and the example of the Subsonic interface.
  @Test(arguments: [
    ("", "d41d8cd98f00b204e9800998ecf8427e"), ("abc", "900150983cd24fb0d6963f7d28e17f72"),
    (
      "12345678901234567890123456789012345678901234567890123456789012345678901234567890",
      "57edf4a22be3c955ac49da2e2107b67a"
    ),
    ("sesamec19b2d", "26719a1196d2a940705a59634eb18eab"), ("Ärger", "36fd9a06f9d62c2c47a807cb1219f6c6"),
  ])
  func digestsAreThoseOfTheStandard(_ text: String, _ digest: String) throws { #expect(try MD5.hex(text) == digest) }
}
