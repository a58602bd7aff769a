import Messages
import Model
import Testing

@testable import lunara_web

@Suite struct QueryParameterTests {
  @Test func missingAndEmptyParametersAreNil() throws {
    let parameters = QueryParameters(["after": "", "limit": ""])
    #expect(parameters.text("after") == nil)
    #expect(try parameters.number("limit", in: 1...200) == nil)
    #expect(try parameters.sort() == nil)
    #expect(try parameters.room() == nil)
  }

  @Test func presentParametersAreRead() throws {
    let parameters = QueryParameters(["after": "x y", "limit": "200", "sort": "random", "room": "living-room"])
    #expect(parameters.text("after") == "x y")
    #expect(try parameters.number("limit", in: 1...200) == 200)
    #expect(try parameters.sort() == .random)
    #expect(try parameters.room() == RoomName("living-room"))
  }

  @Test func tagsAreReadAllAndInTheirOrder() throws {
    let parameters = QueryParameters(
      ["tag": "genre:Jazz", "without": "type:live", "among": "unplayed"],
      repeated: ["tag": ["genre:Jazz", "composer:Bach: the son", "unplayed:"]])
    #expect(
      try parameters.tags() == [
        Library.Tag(kind: .genre, name: "Jazz"), Library.Tag(kind: .composer, name: "Bach: the son"),
        Library.Tag(kind: .unplayed, name: ""), Library.Tag(kind: .type, name: "live", isExcluded: true),
      ])
    #expect(try parameters.tags("among") == [Library.Tag(kind: .unplayed, name: "")])
    #expect(try QueryParameters(["limit": "1"]).tags() == nil)
    for text in ["Jazz", "genre:", "colour:red", ":x", "unknown:x"] {
      #expect(code { _ = try QueryParameters(["tag": text]).tags() } == "web.badParameter", "\(text)")
    }
    #expect(try QueryParameters(["role": "composer"]).role() == .composer)
    #expect(code { _ = try QueryParameters(["role": "unknown"]).role() } == "web.badParameter")
  }

  @Test(arguments: ["0", "201", "-1", "ten", "1.5", "99999999999999999999"])
  func aNumberOutOfBoundsIsRefused(limit: String) {
    #expect(code { _ = try QueryParameters(["limit": limit]).number("limit", in: 1...200) } == "web.badParameter")
  }

  @Test func aWordThatIsNotUnderstoodIsRefused() {
    #expect(code { _ = try QueryParameters(["sort": "Name"]).sort() } == "web.badParameter")
    #expect(code { _ = try QueryParameters(["room": "The Kitchen"]).room() } == "web.badParameter")
  }
}
