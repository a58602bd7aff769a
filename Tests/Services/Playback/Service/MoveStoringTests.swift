import Messages
import Model
import Storage
import TestSupport
import Testing

@testable import lunara_playback

extension RealSound {
  /// What a move leaves on the disk.
  @Suite struct MoveStoringTests {
    @Test func theListenOfWhatPlayedIsStoredWithTheMoveThatEndsIt() async throws {
      try await TestHousehold.with { household in
        let items = try await household.album(2, seconds: 60)
        let room = try await household.room(speed: "1")
        try await room.load([items[0]])
        #expect(try await eventually(within: .seconds(60)) { try await room.facts().first?.word == "started 1" })
        // Which facts there are when the move is known to be committed: a kill after that leaves no more.
        try await room.database.write {
          try $0.execute("CREATE TABLE seen (kind TEXT)")
          try $0.execute(
            """
            CREATE TRIGGER look AFTER INSERT ON move_ended BEGIN INSERT INTO seen SELECT kind FROM bus_facts ORDER BY seq; END
            """)
        }
        let moved = Playback.Moved(
          revision: 3, count: 1, current: 0, position: Milliseconds(20_000), isPlaying: true,
          listen: Playback.ListenMark(
            listen: ListenID(rawValue: "theirs"), startedAt: Timestamp(seconds: 900), heard: Milliseconds(20_000)),
          modes: Playback.Modes(), continuation: nil)
        _ = try await room.service.room.prepareMove(
          Playback.PrepareMove(move: "m", moved: moved, part: 0, isLast: true, items: [items[1]]))
        let state = try await room.service.room.commitMove(Playback.CommitMove(move: "m", moved: moved))
        #expect(state.item == items[1])
        let seen: [String] = try await room.database.read { reader in
          try reader.rows("SELECT kind FROM seen") { try $0.value(0) }
        }
        #expect(seen.contains(Playback.ListenEnded.kind), "\(seen)")
        let words = try await room.facts().map(\.word)
        #expect(words.filter { $0.hasPrefix("ended") } == ["ended 1 skipped"])
        await room.stop()
      }
    }
  }
}
