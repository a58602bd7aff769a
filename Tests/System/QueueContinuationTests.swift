import Glibc
import TestSupport
import Testing

extension SystemTests {
  /// Queues that the router keeps in step with the library.
  @Suite struct QueueContinuationTests {
    @Test func aContinuationSurvivesAKilledRouterAndSkipsRemovedAlbums() async throws {
      let music = TemporaryDirectory()
      for title in ["One", "Two", "Three"] {
        try Folder.make("\(music.path)/\(title)")
        try await TestMusic.record(
          "\(music.path)/\(title)/1.flac", seconds: 60,
          tags: [("artist", "The Lanterns"), ("album", title), ("title", "Track \(title)"), ("date", "2020")])
      }
      try await Household.with(.init(music: [music.path])) { household in
        try await household.up()
        _ = try await household.source(holding: 3)
        try await household.run("play", "One", "--continue")
        if let pid = try await household.process(of: "router") { kill(pid, SIGKILL) }
        // The tracks behind One in the order of artist and title, each once.
        try await expect(["Track One", "Track Three", "Track Two"], in: household)
        #expect(try await household.json("queue").continues.asBool == false)

        let pid = try #require(try await household.process(of: "router"))
        kill(pid, SIGSTOP)
        try Folder.remove("\(music.path)/Three")
        _ = try await household.source(holding: 2)
        kill(pid, SIGKILL)
        try await expect(["Track One", "Track Two"], in: household)
        #expect(try await household.room().track.title.asString == "Track One")
        #expect(try await household.room().state.asString == "playing")
      }
    }

    private func expect(_ titles: [String], in household: Household) async throws {
      try await soon("the queue is \(titles)", equals: titles) {
        try await household.json("queue").items.elements.map(\.title.asString)
      }
    }
  }
}
