import Testing

@testable import lunara_nowplaying

struct FindingsTests {
  @Test func eachKeyIsSearchedForOnce() {
    var findings = Findings<String, Int>()
    let first = findings.want(["a", "b"]).begin.map(\.key).sorted()
    let second = findings.want(["a", "b", "c"]).begin.map(\.key)
    #expect(first == ["a", "b"] && second == ["c"])
    #expect(!findings.isSettled("a") && findings.isSettled("z"))
  }

  @Test func theOutcomeOfASearchThatWasGivenUpIsNotTaken() throws {
    var findings = Findings<String, Int>()
    let first = try #require(findings.want(["a"]).begin.first)
    _ = findings.want([])
    let second = try #require(findings.want(["a"]).begin.first)
    #expect(!findings.isSought(first))
    let late = findings.found(1, by: first)
    #expect(!late && findings["a"] == nil)
    let timely = findings.found(2, by: second)
    #expect(timely && findings["a"] == 2)
  }

  @Test func whatWasFoundIsForgottenWithItsKey() throws {
    var findings = Findings<String, Int>()
    let search = try #require(findings.want(["a", "b"]).begin.first { $0.key == "a" })
    _ = findings.found(7, by: search)
    let forgotten = findings.want([]).forget
    #expect(forgotten == [7])
    #expect(findings["a"] == nil)
  }

  @Test func whatIsReconsideredWhileItIsSoughtIsSoughtOnceMore() throws {
    var findings = Findings<String, Int>()
    let first = try #require(findings.want(["a"]).begin.first)
    findings.reconsider()
    let isWaited = findings.found(nil, by: first)
    let second = try #require(findings.want(["a"]).begin.first)
    _ = findings.found(nil, by: second)
    let third = findings.want(["a"]).begin
    #expect(isWaited && third.isEmpty && findings.isSettled("a"))
  }
}
