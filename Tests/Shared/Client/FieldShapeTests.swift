import Client
import Messages
import Model
import Testing

@Suite struct FieldShapeTests {
  private enum Mood: String { case calm }

  private struct Part {
    var name = "a"
    var size: Int? = 2
  }

  private struct Thing: FieldShaped {
    var id = AlbumID(source: "files", native: "a1")
    var mood = Mood.calm
    var former: Mood?
    var moods = [Mood.calm]
    var length = Milliseconds(1_500)
    var path = LocalPath("/m/a.flac")
    var part: Part? = Part()
    var parts = [Part(name: "b", size: nil)]
    var note: String?
    var error = LunaraError("library.badTag", "No.")
    var twice: Int { 2 }
  }

  @Test func eachStoredPropertyIsAMemberInItsOwnShape() {
    let json = Thing().json
    #expect(
      String(decoding: json.bytes(.leftOut), as: UTF8.self)
        == #"{"id":"files:a1","mood":"calm","moods":["calm"],"lengthSeconds":1.5,"path":"/m/a.flac","#
        + #""part":{"name":"a","size":2},"parts":[{"name":"b"}],"error":{"code":"library.badTag","message":"No."}}"#)
  }

  @Test func aMissingValueIsWrittenAsNullForCommands() {
    #expect(Discovery.ArticleGuess(title: "Blue", language: "en").json.description.hasSuffix(#""about":null}"#))
  }

  private struct Odd: MessageShaped {
    var rate = Double.nan
  }

  @Test func aMessageThatJSONCannotExpressIsAnErrorAndNotNull() {
    #expect { _ = try Odd().json } throws: { ($0 as? LunaraError)?.code == "bus.badPayload" }
  }
}
