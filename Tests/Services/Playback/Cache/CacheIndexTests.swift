import Model
import Testing

@testable import lunara_playback

/// What the cache keeps.
struct CacheIndexTests {
  private func name(_ number: Int, at url: String = "http://server/file") -> CacheName {
    CacheName(.numbered(number), at: url)
  }

  private func entry(_ number: Int, size: Int64, used: Int64, at url: String = "http://server/file") -> CacheIndex.Entry
  {
    CacheIndex.Entry(
      name: name(number, at: url), size: size, fetchedAt: Timestamp(seconds: 1000), usedAt: Timestamp(seconds: used))
  }

  @Test func whatWasUsedLongestAgoGoesFirstAndWhatIsWantedStays() {
    let index = CacheIndex(
      limit: 100, entries: [entry(1, size: 40, used: 3), entry(2, size: 40, used: 1), entry(3, size: 20, used: 2)])
    #expect(index.victims(for: 0, keeping: []) == [])
    #expect(index.victims(for: 30, keeping: []) == [name(2)])
    #expect(index.victims(for: 50, keeping: []) == [name(2), name(3)])
    #expect(index.victims(for: 30, keeping: [name(2).track]) == [name(3), name(1)])
    #expect(index.victims(for: 101, keeping: []) == nil)
    #expect(index.victims(for: 70, keeping: [name(1).track]) == nil)
  }

  @Test func anotherAddressOfTheSameThingIsTheSameFileAndAnotherPlaceIsAnother() {
    #expect(name(1, at: "http://server/file?ends=1&sign=2") == name(1, at: "http://server/file?ends=3&sign=4"))
    #expect(name(1, at: "http://server/parts/9/1700/file.flac") != name(1, at: "http://server/parts/9/1800/file.flac"))
    #expect(name(1) != name(2))
    var longer = QueueItem.numbered(1)
    longer.track.duration = Milliseconds(61_000)
    #expect(CacheName(longer, at: "http://server/file") != name(1))
  }

  @Test func aNewVersionTakesThePlaceOfTheOldOneAndAnOldFileIsAskedForAgain() {
    var index = CacheIndex(limit: 100, entries: [entry(1, size: 40, used: 1, at: "http://server/old")])
    #expect(index.add(entry(1, size: 50, used: 2, at: "http://server/new")) == [name(1, at: "http://server/old")])
    #expect(index.size == 50)
    let later = Timestamp(seconds: 1000 + 31 * 24 * 3600)
    #expect(index.file(name(1, at: "http://server/new"), on: Timestamp(seconds: 2000)) != nil)
    #expect(index.file(name(1, at: "http://server/new"), on: later) == nil)
    // Where nobody can be asked an old file is better than none.
    #expect(index.file(of: name(1).track) != nil)
  }

  @Test func aNameHoldsNothingThatCanBeRead() {
    let file = CacheName(.numbered(1), at: "http://token@server/file?X-Plex-Token=secret").file
    #expect(file.utf8.count == 65 && file.allSatisfy { $0.isHexDigit || $0 == "-" })
    #expect(CacheName(file: file)?.file == file)
    for other in ["host-id", file + ".part", "", "-"] { #expect(CacheName(file: other) == nil) }
  }
}
