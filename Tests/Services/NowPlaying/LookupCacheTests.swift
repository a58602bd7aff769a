import Testing

@testable import lunara_nowplaying

struct LookupCacheTests {
  @Test func eachKeyIsLookedUpOnce() {
    var lookups = LookupCache<String, Int>()
    let first = lookups.update(wanted: ["a", "b"]).started.map(\.key).sorted()
    let second = lookups.update(wanted: ["a", "b", "c"]).started.map(\.key)
    #expect(first == ["a", "b"] && second == ["c"])
    #expect(!lookups.isFinished("a") && lookups.isFinished("z"))
  }

  @Test func theResultOfACancelledLookupIsIgnored() throws {
    var lookups = LookupCache<String, Int>()
    let first = try #require(lookups.update(wanted: ["a"]).started.first)
    _ = lookups.update(wanted: [])
    let second = try #require(lookups.update(wanted: ["a"]).started.first)
    #expect(!lookups.isPending(first))
    let late = lookups.store(1, for: first)
    #expect(!late && lookups["a"] == nil)
    let timely = lookups.store(2, for: second)
    #expect(timely && lookups["a"] == 2)
  }

  @Test func whatWasFoundIsForgottenWithItsKey() throws {
    var lookups = LookupCache<String, Int>()
    let search = try #require(lookups.update(wanted: ["a", "b"]).started.first { $0.key == "a" })
    _ = lookups.store(7, for: search)
    let forgotten = lookups.update(wanted: []).removed
    #expect(forgotten == [7])
    #expect(lookups["a"] == nil)
  }

  @Test func aKeyInvalidatedDuringItsLookupIsLookedUpAgain() throws {
    var lookups = LookupCache<String, Int>()
    let first = try #require(lookups.update(wanted: ["a"]).started.first)
    lookups.retryMissing()
    let isWaited = lookups.store(nil, for: first)
    let second = try #require(lookups.update(wanted: ["a"]).started.first)
    _ = lookups.store(nil, for: second)
    let third = lookups.update(wanted: ["a"]).started
    #expect(isWaited && third.isEmpty && lookups.isFinished("a"))
  }
}
