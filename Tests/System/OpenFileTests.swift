import Glibc
import TestSupport
import Testing

extension SystemTests {
  /// The files of music that the household has open: a disk with an open file cannot be unmounted.
  @Suite struct OpenFileTests {
    @Test func aRoomThatNoLongerPlaysHasNoMusicFileOpen() async throws {
      let music = TemporaryDirectory()
      for number in 1...3 {
        try await TestMusic.record(
          "\(music.path)/\(number).flac", seconds: 3,
          tags: [("artist", "The Lanterns"), ("album", "Short"), ("title", "Track \(number)"), ("track", "\(number)")])
      }
      try await Household.with(.init(music: [music.path])) { household in
        try await household.up()
        _ = try await household.source(holding: 3)
        func play() async throws {
          try await household.run("play", "Short")
          try await soon("the player has a file open") { !Processes.open(in: music.path).isEmpty }
        }
        try await play()
        // By now the player has opened the next track as well.
        try await soon("the second track plays", equals: "Track 2") { try await household.playing() }
        try await household.run("stop")
        try await soon("the stopped room has closed all", equals: []) { Processes.open(in: music.path) }
        try await play()
        _ = try await household.room(is: "idle")
        try await soon("at the end of the queue all are closed", equals: []) { Processes.open(in: music.path) }
        try await play()
        try await household.run("queue", "clear")
        try await soon("the empty room has closed all", equals: []) { Processes.open(in: music.path) }
      }
    }
  }
}
