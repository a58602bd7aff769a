import Bus
import HTTP
import Messages
import Model
import Synchronization
import TestSupport
import Testing

@testable import lunara_web

/// Themes over HTTP, with a library that gives prepared answers.
@Suite(.timeLimit(.minutes(2))) struct ThemeEndpointTests {
  @Test func aThemeIsReadMadeAndChanged() async throws {
    let household = try await ServedHousehold()
    let saved = Mutex("")
    let theme = Library.Theme(
      id: 3, title: "<b>Boat</b>", look: .init(first: "#1f5f8b", second: "#e8f0f2", texture: .paper), albumCount: 0,
      revision: 4)
    let library = household.library
    await library.serve(Library.ListThemes.self) { _, _ in Library.ThemeList(items: [theme]) }
    await library.serve(Library.ReadTheme.self) { request, _ in Library.ThemePage(theme: theme, albums: []) }
    await library.serve(Library.SaveTheme.self) { request, _ in
      let text = String(decoding: try MessageCoding.encode(request), as: UTF8.self)
      saved.withLock { $0 = text }
      return theme
    }
    await library.serve(Library.DeleteTheme.self) { _, _ in Done() }
    let text =
      ##"{"id":3,"title":"<b>Boat</b>","look":{"first":"#1f5f8b","second":"#e8f0f2","texture":"paper"},"albumCount":0,"playable":"library:theme:3","revision":4"##
    #expect(try await household.get("/api/v1/themes").text == #"{"items":["# + text + "}]}")
    #expect(try await household.get("/api/v1/themes/3").text == text + #","albums":[],"missing":[]}"#)
    let body = ##"{"title":"T","look":{"first":"#000000","second":"#ffffff","texture":"wood"},"adding":["files:a1"]}"##
    #expect(try await household.post("/api/v1/themes", body).status == 200)
    #expect(
      saved.withLock { $0 }
        == ##"{"adding":["files:a1"],"look":{"first":"#000000","second":"#ffffff","texture":"wood"},"title":"T"}"##)
    #expect(try await household.send("PUT", "/api/v1/themes/3", #"{"text":"","revision":4}"#).status == 200)
    #expect(saved.withLock { $0 } == #"{"id":3,"revision":4,"text":""}"#)
    #expect(try await household.send("DELETE", "/api/v1/themes/3").status == 200)
    #expect(try await household.get("/api/v1/themes/boat").errorCode == "web.badID")
    let steel = ##"{"title":"T","look":{"first":"#000000","second":"#ffffff","texture":"steel"}}"##
    #expect(try await household.post("/api/v1/themes", steel).errorCode == "web.badBody")
    await household.stop()
  }
}
