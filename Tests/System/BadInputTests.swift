import Glibc
import TestSupport
import Testing

extension SystemTests {
  @Suite struct BadInputTests {
    @Test func whatIsBrokenIsNamedAndTheRestPlays() async throws {
      let music = try await OddMusic.make()
      let settings = Household.Settings(
        speed: "40", music: [music.path], wrapper: try OddMusic.withoutPrivilege)
      try await Household.with(settings) { household in
        try await household.up()
        let source = try await household.source(holding: 5)
        let problems = source.problems.elements
        for problem in problems {
          #expect(problem.differences(from: ["code": "string", "message": "string"]) == [])
        }
        for name in OddMusic.broken + [OddMusic.untagged] {
          #expect(
            problems.contains { $0.message.asString?.contains(name) == true }, "\(name) among \(problems)")
        }
        #expect((source.problemCount.asInt ?? 0) >= OddMusic.broken.count + 1)
        for innocent in ["notes.txt", "plain.flac", "line", "caf"] {
          // With the slash before it, since the random name of the temporary folder may contain the word.
          #expect(!problems.contains { $0.message.asString?.contains("/" + innocent) == true }, "\(innocent)")
        }
        let plain = try await household.lunara(["status"])
        #expect(plain.output.contains("broken.flac"))

        let quiet = try await household.json("search", "quiet").tracks
        #expect(quiet[0].title.asString == "Quiet Room")
        try await household.run("play", "Odd Names")
        try await household.allHeard(4)
        let listens = try await Listens(of: household)
        #expect(listens.ended.map(\.subject.item.track.title.asString) == OddMusic.titles)
        #expect(listens.ended.allSatisfy { $0.reason.asString == "finished" })
        #expect(listens.counted.count == 4)
      }
    }

    @Test func separatorsInAllPlacesOfNamesEndNothing() async throws {
      let folder = TemporaryDirectory()
      let music = try #require(TestMusic.current)
      let names = ["Little Feat feat. Bo", "Ann / / Bo", "Ann; ; Bo", "Al feat. ft. Bo", " / / ", "Cy (feat. [ft. Bo"]
      for (index, name) in names.enumerated() {
        let place = "\(folder.path)/\(index)"
        try Folder.make(place)
        let tags = [("artist", name), ("album", "Odd \(index)"), ("genre", name), ("composer", name), ("title", name)]
        try await TestMusic.record("\(place)/1.flac", seconds: 1, tags: tags)
      }
      try await Household.with(.init(music: [folder.path, music.path])) { household in
        try await household.up()
        let library = try await household.process(of: "library")
        #expect(try await household.source(holding: 6 + names.count).problemCount.asInt ?? 0 == 0)
        #expect(try await household.albums().count == 2 + names.count)
        try await household.sync()
        #expect(try await household.process(of: "library") == library && library != nil)
      }
    }

    @Test func manyProblemsAreCountedAndTheFirstOnesNamed() async throws {
      let folder = TemporaryDirectory()
      for number in 10..<24 { try Folder.write([0x66, 0x4C], to: "\(folder.path)/\(number).flac") }
      let music = try #require(TestMusic.current)
      try await Household.with(.init(music: [music.path, folder.path])) { household in
        try await household.up()
        let source = try await household.source(holding: 6)
        #expect(source.problems.elements.count == 10)
        let all = try #require(source.problemCount.asInt)
        // The folder without music counts as a problem, too.
        #expect((14...15).contains(all))
        let plain = try await household.lunara(["status"]).output
        #expect(plain.contains("\(all) problems"))
        #expect(plain.contains("\(all - 10) more"))
      }
    }

    @Test func aFileThatIsGoneWhenItsTurnComesIsSkippedAndNamed() async throws {
      let folder = TemporaryDirectory()
      let music = try #require(TestMusic.current)
      try Folder.copy(music.path, to: folder.path + "/music")
      try await Household.with(.init(speed: "20", music: [folder.path + "/music"])) { household in
        try await household.up()
        _ = try await household.source(holding: 6)
        try Folder.remove("\(folder.path)/music/The Lanterns - Morning Tide/\(TestMusic.lanterns.pieces[1].file)")
        try await household.run("play", "Morning Tide")
        try await household.allHeard(2)
        let listens = try await Listens(of: household)
        #expect(listens.ended.map(\.subject.item.track.title.asString) == ["First Light", "Short Pier"])
        // The library may notice in time that the file is gone; then the file is not in the queue at all.
        let failed = try await household.facts("playback.track-failed").map(\.payload)
        let refreshed = try await household.json("album", "Morning Tide").tracks.elements.map(\.title.asString)
        #expect(failed.map(\.item.track.title.asString) == ["Salt"] || refreshed == ["First Light", "Short Pier"])
        #expect(failed.allSatisfy { ["library.fileMissing", "library.unknownID"].contains($0.error.code.asString) })
      }
    }

    @Test func anEmptyFolderIsNamedAndFillsUpLater() async throws {
      let folder = TemporaryDirectory()
      let music = try #require(TestMusic.current)
      let place = folder.path + "/music"
      try Folder.make(place)
      try await Household.with(.init(music: [place])) { household in
        try await household.up()
        let source = try await soon("the folder was read") {
          try await household.json("status").sources[0]
        } satisfies: {
          $0.health.asString == "empty"
        }
        #expect(source.problems.elements.contains { $0.message.asString?.contains(place) == true })
        #expect(try await household.json("albums").items == .array([]))
        try Folder.copy(music.path, to: place + "/new")
        try await household.sync()
        #expect(try await household.source(holding: 6).health.asString == "ready")
      }
    }

    @Test func aMissingFolderIsNamedAndTheOthersPlay() async throws {
      let folder = TemporaryDirectory()
      let music = try #require(TestMusic.current)
      try await Household.with(.init(music: [folder.path + "/missing", music.path])) { household in
        try await household.up()
        let source = try await household.source(holding: 6)
        #expect(source.problems.elements.contains { $0.message.asString?.contains("\(folder.path)/missing") == true })
        try await household.run("play", "Morning Tide")
        _ = try await household.room(is: "playing")
      }
    }

    @Test func aFolderThatVanishesDeletesNothing() async throws {
      let folder = TemporaryDirectory()
      let music = try #require(TestMusic.current)
      // One of two folders, so that the catalogue is never empty.
      let (place, other) = (folder.path + "/music", folder.path + "/other")
      try Folder.copy(music.path, to: place)
      try Folder.make(other)
      try Folder.move("\(place)/🌙 月の庭", to: "\(other)/🌙 月の庭")
      try await Household.with(.init(music: [place, other])) { household in
        try await household.up()
        _ = try await household.source(holding: 6)
        let albums = try await household.albums()
        try Folder.move(place, to: place + "-away")
        try await household.sync()
        try await soon("the missing folder is named") {
          try await household.json("status").sources[0].problems.elements
        } satisfies: {
          $0.contains { $0.message.asString?.contains(place) == true }
        }
        #expect(try await household.albums() == albums)
        // An empty folder in its place, as after unmounting a disk, deletes nothing either.
        try Folder.make(place)
        try await household.sync()
        #expect(try await household.albums() == albums)
        try Folder.remove(place)
        try Folder.move(place + "-away", to: place)
        try await household.sync()
        let source = try await household.source(holding: 6)
        #expect(source.health.asString == "ready")
        #expect(source.problems.elements == [])
        #expect(try await household.albums() == albums)
        try await household.run("play", "Morning Tide")
        _ = try await household.room(is: "playing")
      }
    }
  }
}

extension Household {
  /// Refreshes the library and waits until that is done.
  func sync() async throws {
    let counts = try await json("sync", "--wait")
    let shape = [
      "source": "string", "new": "number", "changed": "number", "unchanged": "number", "deleted": "number",
      "seconds": "number",
    ]
    #expect(counts.differences(from: shape) == [])
    #expect(counts.deleted.asInt == 0)
  }
}
