import Bus
import HTTP
import Messages
import Model
import Synchronization
import TestSupport
import Testing

@testable import lunara_web

/// Articles over HTTP, with a service that gives prepared answers.
@Suite(.timeLimit(.minutes(2))) struct ArticleEndpointTests {
  @Test func theArticleOfAnAlbumOrArtistIsReadSearchedAndChosenUnderIt() async throws {
    let household = try await ServedHousehold()
    let node = try await household.bus.node("discovery@main")
    let found = Mutex<[Discovery.FindArticle]>([])
    let chosen = Mutex<[Discovery.ChooseArticle]>([])
    let guess = Discovery.ArticleGuess(title: "Blue", language: "en")
    await node.serve(Discovery.ReadArticle.self) { request, _ in
      Discovery.ArticleStatus(subject: request.subject, guesses: [guess], isOn: true)
    }
    await node.serve(Discovery.FindArticle.self) { request, _ in
      found.withLock { $0.append(request) }
      guard request.subject.album?.native != "a2" else { throw LunaraError("discovery.unknownAlbum", "No.") }
      return Discovery.ArticleStatus(subject: request.subject, isBeingSearched: true, isOn: true)
    }
    await node.serve(Discovery.ChooseArticle.self) { request, _ in
      chosen.withLock { $0.append(request) }
      return Discovery.ArticleStatus(subject: request.subject, isOn: true)
    }
    #expect(await eventually(contains: .discovery) { household.library.nodes() })
    let (album, artist) = ("/api/v1/albums/files:a1/article", "/api/v1/artists/files:r1/article")
    _ = try await eventually(equals: 200) { try await household.get(album).status }
    #expect(
      try await household.get(album).text
        == #"{"album":"files:a1","guesses":[{"title":"Blue","language":"en"}],"isBeingSearched":false,"isOn":true}"#)
    #expect(try await household.get(artist).text.hasPrefix(#"{"artist":"files:r1","guesses""#))
    let searched = try await household.send("POST", artist, #"{"isAgain":true}"#)
    #expect(searched.text == #"{"artist":"files:r1","isBeingSearched":true,"isOn":true}"#)
    #expect(try await household.send("POST", album, "{}").status == 200)
    #expect(found.withLock { $0.map(\.isAgain) } == [true, nil])
    #expect(try await household.send("POST", "/api/v1/albums/files:a2/article", "{}").status == 404)
    #expect(try await household.send("PUT", album, #"{"page":{"title":"Blue","language":"en"}}"#).status == 200)
    #expect(try await household.send("PUT", artist, #"{"page":null}"#).status == 200)
    #expect(chosen.withLock { $0.map(\.page) } == [guess, nil])
    #expect(try await household.send("PUT", album, "{}").errorCode == "web.badBody")
    await node.close()
    await household.stop()
  }

  @Test func theSettingsAreReadAndStored() async throws {
    let household = try await ServedHousehold()
    let node = try await household.bus.node("discovery@main")
    let asked = Mutex<[Discovery.SetArticles]>([])
    await node.serve(Discovery.ReadArticleSettings.self) { _, _ in Discovery.ArticleSettings(sends: "Little.") }
    await node.serve(Discovery.SetArticles.self) { request, _ in
      asked.withLock { $0.append(request) }
      return Discovery.ArticleSettings(
        isOn: request.isOn ?? false, languages: request.languages ?? [], sends: "Little.")
    }
    #expect(await eventually(contains: .discovery) { household.library.nodes() })
    let path = "/api/v1/discovery/articles"
    _ = try await eventually(equals: 200) { try await household.get(path).status }
    #expect(try await household.get(path).text == #"{"isOn":false,"languages":["en"],"kept":0,"sends":"Little."}"#)
    let set = try await household.send("PUT", path, #"{"isOn":true,"languages":["de"]}"#)
    #expect(set.text == #"{"isOn":true,"languages":["de"],"kept":0,"sends":"Little."}"#)
    #expect(asked.withLock { $0.map(\.languages) } == [["de"]])
    #expect(try await household.send("PUT", path, #"{"languages":"de"}"#).errorCode == "web.badBody")
    await node.close()
    await household.stop()
  }
}
