import Model
import Testing

@testable import Sources

@Suite struct PlexListingTests {
  private struct Result {
    var seen: Set<String>
    var pages: Int
    var isCut: Bool
    var isShort: Bool
  }

  /// Reads a list from a server that answers with `page(start)`; returns the rows seen and the number of pages.
  private func read(_ page: (Int) -> (keys: [String], total: Int?)) -> Result {
    var listing = PlexListing()
    var step = PlexListing.Step.next(0)
    var pages = 0
    while case .next(let start) = step, pages < 1000 {
      let (keys, total) = page(start)
      step = listing.add(keys: keys, total: total).step
      pages += 1
    }
    return Result(seen: listing.seen, pages: pages, isCut: listing.isCut, isShort: listing.isShort)
  }

  private let all = (0..<95).map { "\($0)" }

  @Test(arguments: [1, 2, 5, 10, 50, 95, 1000])
  func aServerMaySendAnotherCountThanItWasAskedFor(_ size: Int) {
    let read = read { (Array(all.dropFirst($0).prefix(size)), all.count) }
    #expect(read.seen == Set(all))
    // Each page but the first starts with the last row of the one before.
    #expect(read.pages <= 1 + 94 / max(1, size - 1))
    #expect(!read.isCut)
  }

  @Test func aServerThatDoesNotPageIsReadOnce() {
    // The server sends the whole list for every page, without a total: the second answer has no new row.
    let read = read { _ in (all, nil) }
    #expect(read.seen == Set(all))
    #expect(read.pages <= 3)
  }

  @Test func aServerWithoutTotalIsReadToTheEmptyPage() {
    let read = read { (Array(all.dropFirst($0).prefix(10)), nil) }
    #expect(read.seen == Set(all))
  }

  @Test func anItemThatMovedUpBetweenTwoPagesIsFoundInASecondPass() {
    var list = all
    var pages = 0
    let read = read { start in
      pages += 1
      // A row of the first page is removed after it was read, so that the first row of the second page moves into the
      // first. Another row is added, so that the count stays.
      if pages == 2 {
        list.removeFirst()
        list.append("new")
      }
      return (Array(list.dropFirst(start).prefix(10)), list.count)
    }
    let isWhole = read.seen.isSuperset(of: list)
    #expect(isWhole)
    #expect(!read.isCut)
  }

  @Test func anItemThatCameFirstIsSeenOnceAndCostsNothing() {
    var list = all
    var pages = 0
    let read = read { start in
      pages += 1
      if pages == 2 { list.insert("new", at: 0) }
      return (Array(list.dropFirst(start).prefix(10)), list.count)
    }
    #expect(read.seen == Set(list))
  }

  @Test func aListThatEndsMuchTooEarlyIsCut() {
    let read = read { (Array(all.dropFirst($0).prefix(10)).filter { Int($0).map { $0 < 40 } ?? false }, 95) }
    #expect(read.isCut)
    let nothing = self.read { _ in ([], 95) }
    #expect(nothing.isCut)
    #expect(!self.read { (Array(all.dropFirst($0).prefix(10)), 95) }.isShort)
  }

  @Test func rowsThatAreCountedAndNeverListedAreMissedOnlyOnce() {
    let few = read { (Array(all.dropFirst($0).prefix(10)), 97) }
    #expect(!few.isCut && !few.isShort)
    #expect(few.seen == Set(all))
    // The same number of other rows, or no row at all, does not confirm the first pass.
    var passes = 0
    let changing = read { start in
      if start == 0 { passes += 1 }
      return (Array(all.dropFirst(passes > 1 ? 95 : start).prefix(10)), 97)
    }
    #expect(!changing.isCut && changing.isShort)
  }

  @Test func pseudoRowsHaveNoKeyAndStillMoveThePlace() {
    var listing = PlexListing()
    let first = listing.add(keys: [nil, "1", "2"], total: 4)
    #expect(first.new == [1, 2])
    #expect(first.step == .next(2))
  }
}

@Suite struct PlexQueryTests {
  @Test func operatorsAreSentAsTheyAreAndValuesEncoded() {
    let query = PlexQuery(["type": "10"]).with("addedAt>>", "1700000000").with("title!", "Æ & b=c")
    #expect(query.text == "?type=10&addedAt>>=1700000000&title!=%C3%86%20%26%20b%3Dc")
    #expect(PlexQuery().text == "")
  }

  @Test func listsOfIdsKeepTheirCommasAndPathsAreEscaped() {
    #expect(PlexQuery.encoded("1,2,3") == "1,2,3")
    #expect(PlexQuery.encoded("/library/metadata/1/thumb/2") == "%2Flibrary%2Fmetadata%2F1%2Fthumb%2F2")
    #expect(PlexQuery.encoded("../x?y#z") == "..%2Fx%3Fy%23z")
  }

  @Test(arguments: [
    ("nas", "http://nas:32400"), ("nas:1234", "http://nas:1234"), ("http://nas/", "http://nas:32400"),
    ("https://plex.example/", "https://plex.example"), ("http://nas/plex/", "http://nas/plex"),
    ("http://[::1]", "http://[::1]:32400"), ("[::1]:32400", "http://[::1]:32400"),
  ])
  func anAddressMayBeTypedInShort(_ typed: String, _ base: String) {
    #expect(PlexAddress(typed).url == base)
  }

  @Test(arguments: ["http://ann:s3@nas:32400", "s3@nas", "http://nas:32400/?X-Plex-Token=s3", "nas#s3"])
  func anAddressThatMayCarryASecretIsRefusedWithoutIt(_ typed: String) {
    #expect { _ = try PlexAddress.base(of: typed) } throws: {
      ($0 as? LunaraError)?.code == "library.badAddress" && !"\($0)".contains("s3")
    }
  }
}
