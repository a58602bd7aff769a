import Bus
import Messages
import Model
import Synchronization
import TestSupport
import Testing

@testable import lunara

/// The commands of likes and dislikes, with a library that gives prepared answers.
@Suite(.timeLimit(.minutes(2))) struct LikeCommandTests {
  private final class Asked: Sendable {
    let opinions = Mutex<[Library.SetOpinion]>([])
    let switches = Mutex<[Library.SetOpinionSharing]>([])
    let retries = Mutex<[Library.RetryOpinions]>([])
  }

  private func household(_ asked: Asked) async throws -> CommandFixture {
    let fixture = try CommandFixture()
    let library = try await fixture.library()
    await library.serve(Library.SetOpinion.self) { request, _ in
      asked.opinions.withLock { $0.append(request) }
      return Library.OpinionBefore(before: request.opinion == .dislike ? .like : nil)
    }
    await library.serve(Library.ListOpinions.self) { request, _ in
      let away = Library.SharingProblem(
        service: "plex", error: LunaraError("library.sourceAway", "The source plex cannot be reached."))
      func opinion(_ number: Int, _ opinion: Library.Opinion, _ problems: [Library.SharingProblem]? = nil)
        -> Library.AlbumOpinion
      {
        Library.AlbumOpinion(
          id: AlbumID(source: "files", native: "a\(number)"), title: "Album \(number)", artist: "Nova",
          opinion: opinion, at: Timestamp(seconds: 1_700_000_000), isHere: number == 2 ? false : nil,
          problems: problems)
      }
      guard request.after == nil else { return Library.OpinionPage(items: [opinion(2, .dislike)]) }
      return Library.OpinionPage(items: [opinion(1, .like, [away])], next: "c")
    }
    await library.serve(Library.ReadOpinionSharing.self) { _, _ in
      Library.OpinionSharing(
        services: [
          .init(service: "plex", title: "Plex", sends: "A like rates it.", isOn: true, waiting: 2, failed: 1)
        ])
    }
    await library.serve(Library.SetOpinionSharing.self) { request, _ in
      asked.switches.withLock { $0.append(request) }
      return Done()
    }
    await library.serve(Library.RetryOpinions.self) { request, _ in
      asked.retries.withLock { $0.append(request) }
      return Done()
    }
    return fixture
  }

  @Test func anOpinionIsGivenByIdOrTitleAndTheAnswerSaysHowToUndoIt() async throws {
    let asked = Asked()
    let fixture = try await household(asked)
    let (status, printed) = await fixture.run("like", "files:a1")
    #expect(status == .done && printed.output == "files:a1: liked\n")
    #expect(printed.errors.contains("lunara unlike files:a1"))
    let (_, disliked) = await fixture.run("dislike", "files:a3", "--json")
    #expect(disliked.output == #"{"id":"files:a3","opinion":"dislike","before":"like"}"# + "\n")
    let (_, again) = await fixture.run("unlike", "files:a3")
    #expect(again.output == "files:a3: no opinion, as before\n")
    #expect(asked.opinions.withLock { $0.map(\.opinion) } == [.like, .dislike, nil])
    let (usage, _) = await fixture.run("like")
    #expect(usage == .wrongUsage)
    await fixture.close()
  }

  @Test func bothListsAreShownWithWhatIsNotHereAndWhatWasNotTold() async throws {
    let fixture = try await household(Asked())
    let (status, printed) = await fixture.run("likes")
    #expect(status == .done && printed.output.contains("not in the library"))
    #expect(printed.output.contains("plex: The source plex cannot be reached."))
    let (_, json) = await fixture.run("likes", "--json")
    #expect(json.output.hasPrefix(#"{"likes":[{"id":"files:a1","title":"Album 1","artist":"Nova","#))
    #expect(json.output.contains(#""dislikes":[{"id":"files:a2""#))
    await fixture.close()
  }

  @Test func sharingIsShownAndSwitchedAndRetried() async throws {
    let asked = Asked()
    let fixture = try await household(asked)
    let (status, printed) = await fixture.run("likes", "sharing")
    #expect(status == .done && printed.output.contains("2 waiting, 1 refused"))
    let (switched, _) = await fixture.run("likes", "sharing", "plex", "off")
    #expect(switched == .done)
    #expect(asked.switches.withLock { $0.map { "\($0.service) \($0.isOn)" } } == ["plex false"])
    let (retried, _) = await fixture.run("likes", "retry", "subsonic")
    #expect(retried == .done && asked.retries.withLock { $0.map(\.service) } == ["subsonic"])
    for words in [["plex"], ["plex", "maybe"]] {
      let (status, _) = await fixture.run(["likes", "sharing"] + words)
      #expect(status == .wrongUsage, "\(words)")
    }
    await fixture.close()
  }
}
