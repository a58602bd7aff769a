import Bus
import HTTP
import Messages
import Model
import Synchronization
import TestSupport
import Testing

@testable import lunara_web

/// Likes and dislikes over HTTP, with a library that gives prepared answers.
@Suite(.timeLimit(.minutes(2))) struct OpinionEndpointTests {
  @Test func anOpinionIsGivenReplacedAndTakenBack() async throws {
    let household = try await ServedHousehold()
    let asked = Mutex<[String]>([])
    await household.library.serve(Library.SetOpinion.self) { request, _ in
      let text = String(decoding: try MessageCoding.encode(request), as: UTF8.self)
      asked.withLock { $0.append(text) }
      return Library.OpinionBefore(before: request.opinion == nil ? .like : nil)
    }
    let path = "/api/v1/albums/files:a1/opinion"
    #expect(try await household.send("PUT", path, #"{"opinion":"like"}"#).text == #"{"before":null}"#)
    #expect(try await household.send("PUT", path, #"{"opinion":null}"#).text == #"{"before":"like"}"#)
    #expect(asked.withLock { $0 } == [#"{"id":"files:a1","opinion":"like"}"#, #"{"id":"files:a1"}"#])
    for bad in ["{}", #"{"opinion":"love"}"#, #"{"opinion":"unknown"}"#] {
      #expect(try await household.send("PUT", path, bad).errorCode == "web.badBody", "\(bad)")
    }
    await household.stop()
  }

  @Test func opinionsAndTheirIdsAreReadInPages() async throws {
    let household = try await ServedHousehold()
    let asked = Mutex<[String]>([])
    await household.library.serve(Library.ListOpinions.self) { request, _ in
      let text = String(decoding: try MessageCoding.encode(request), as: UTF8.self)
      asked.withLock { $0.append(text) }
      let problem = Library.SharingProblem(service: "plex", error: LunaraError("library.gone", "It is gone."))
      let blue = Library.AlbumOpinion(
        id: AlbumID(source: "files", native: "a1"), title: "Blue", artist: "Ada", year: 1971, opinion: .like,
        at: Timestamp(seconds: 1_700_000_000), isHere: false, problems: [problem])
      return Library.OpinionPage(items: [blue], next: "d")
    }
    await household.library.serve(Library.ReadOpinions.self) { request, _ in
      Library.OpinionIDs(revision: (request.since ?? 0) + 1, likes: [AlbumID(source: "files", native: "a1")])
    }
    let page = try await household.get("/api/v1/opinions?opinion=like&after=c&limit=50")
    #expect(
      page.text
        == #"{"items":[{"id":"files:a1","title":"Blue","artist":"Ada","year":1971,"opinion":"like","at":"2023-11-14T22:13:20.000000Z","isHere":false,"problems":[{"service":"plex","error":{"code":"library.gone","message":"It is gone."}}]}],"next":"d"}"#
    )
    #expect(asked.withLock { $0 } == [#"{"after":"c","limit":50,"opinion":"like"}"#])
    #expect(
      try await household.get("/api/v1/opinions/ids?since=7").text
        == #"{"revision":8,"isSame":false,"likes":["files:a1"],"dislikes":[],"next":null}"#)
    for bad in ["opinion=love", "limit=0", "limit=501"] {
      #expect(try await household.get("/api/v1/opinions?\(bad)").errorCode == "web.badParameter", "\(bad)")
    }
    await household.stop()
  }

  @Test func servicesAreShownSwitchedAndToldAgain() async throws {
    let household = try await ServedHousehold()
    let asked = Mutex<[String]>([])
    await household.library.serve(Library.ReadOpinionSharing.self) { _, _ in
      Library.OpinionSharing(
        services: [.init(service: "plex", title: "Plex", sends: "A like rates it.", isOn: true, waiting: 1)])
    }
    await household.library.serve(Library.SetOpinionSharing.self) { request, _ in
      asked.withLock { $0.append("\(request.service) \(request.isOn)") }
      return Done()
    }
    await household.library.serve(Library.RetryOpinions.self) { request, _ in
      asked.withLock { $0.append("retry \(request.service ?? "all")") }
      return Done()
    }
    #expect(
      try await household.get("/api/v1/opinions/sharing").text
        == #"{"services":[{"service":"plex","title":"Plex","sends":"A like rates it.","isOn":true,"waiting":1,"failed":0}]}"#
    )
    #expect(try await household.send("PUT", "/api/v1/opinions/sharing/plex", #"{"isOn":false}"#).status == 200)
    #expect(try await household.send("POST", "/api/v1/opinions/retry", #"{"service":null}"#).status == 200)
    #expect(try await household.send("POST", "/api/v1/opinions/retry", #"{"service":"plex"}"#).status == 200)
    #expect(asked.withLock { $0 } == ["plex false", "retry all", "retry plex"])
    await household.stop()
  }
}
