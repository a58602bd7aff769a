import Model
import System
import Testing

@Suite struct HashingTests {
  @Test func theHashOfATextIsThatOfTheReference() {
    // From the authors' own test suite (isthe.com/chongo/src/fnv/test_fnv.c).
    #expect(FNV1a.hash("") == 0xcbf2_9ce4_8422_2325)
    #expect(FNV1a.hash("a") == 0xaf63_dc4c_8601_ec8c)
    #expect(FNV1a.hash("foobar") == 0x8594_4171_f739_67e8)
    var hash = FNV1a()
    hash.combine(littleEndian: 0x6f6f_66 as UInt32)
    #expect(hash.value == FNV1a.hash("foo\0"))
  }

  @Test func theNumbersOfASeedAreThoseOfTheReference() {
    // The first numbers of seed 1234567 as Vigna's splitmix64.c gives them.
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
