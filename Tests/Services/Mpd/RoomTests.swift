import Client
import Messages
import Model
import Testing

@testable import Mpd

/// Rooms in the words of the protocol.
@Suite struct RoomTests {
  private func queue(_ entries: String..., revision: Int64, current: Int? = nil) -> RoomQueue {
    let items = entries.map { queueItem($0) }
    return RoomQueue(
      Playback.QueueState(revision: revision, count: items.count, current: current, first: 0, items: items),
      of: RoomName(from: "kitchen"))
  }

  @Test func entriesKeepTheirNumbersAndPositionsTheirVersions() throws {
    var history = QueueHistory()
    history.update(queue("a", "b", "c", revision: 4))
    let first = history.queue
    #expect(first.changes(after: 0) == [0, 1, 2] && first.changes(after: 4) == [])
    history.update(queue("a", "c", "d", revision: 6, current: 1))
    let second = history.queue
    #expect(second.ids[0] == first.ids[0] && second.ids[1] == first.ids[2] && !first.ids.contains(second.ids[2]))
    #expect(second.changes(after: 4) == [1, 2] && second.version == 6 && second.shown == 1)
    #expect(second.changes(after: 1000) == [0, 1, 2])
    #expect(throws: CommandError.noSuchSong) { try second.index(id: first.ids[1]) }
  }

  @Test func anIndexBehindTheQueueIsNoCurrentSong() {
    var history = QueueHistory()
    history.update(queue("a", revision: 1, current: 4))
    #expect(history.queue.current == nil && history.queue.shown == nil)
  }

  @Test func aRoomThatBeginsAgainHasNewVersionsEverywhere() {
    var history = QueueHistory()
    history.update(queue("a", "b", revision: 90))
    history.update(queue("a", "b", revision: 3))
    #expect(history.queue.versions == [3, 3])
  }

  @Test func singleWithoutRepeatStopsOnceAndWithItRepeatsOneSong() {
    var modes = Playback.Modes()
    #expect(RoomOptions(modes).setting(.on) == [.stopAfterCurrent(true)])
    #expect(RoomOptions(modes).settingRepeat(true) == [.repeats(.all)])
    modes.stopsAfterCurrent = true
    #expect(RoomOptions(modes).single == .oneshot)
    #expect(RoomOptions(modes).settingRepeat(true) == [.stopAfterCurrent(false), .repeats(.one)])
    modes = Playback.Modes(repeats: .one)
    #expect(RoomOptions(modes).single == .on && RoomOptions(modes).isRepeating)
    #expect(RoomOptions(modes).setting(.off) == [.repeats(.all)])
    #expect(RoomOptions(modes).settingRepeat(false) == [.repeats(.off), .stopAfterCurrent(true)])
  }

  @Test func onlyJumpsOfThePositionAreChangesOfThePlayer() {
    let start = roomState(.playing, offset: 0, at: 100)
    #expect(RoomChanges.between(start, roomState(.playing, offset: 10_000, at: 110)).isEmpty)
    #expect(RoomChanges.between(start, roomState(.playing, offset: 60_000, at: 110)) == [.player])
    #expect(RoomChanges.between(start, roomState(.paused, offset: 10_000, at: 110)) == [.player])
    var louder = start
    louder.volume = 70
    louder.queueRevision = 9
    louder.modes = Playback.Modes(order: .tracks, isMuted: true)
    #expect(RoomChanges.between(start, louder) == [.mixer, .playlist, .options, .output])
  }

  @Test func theRoomOfThisMachineIsTheDefaultPartition() throws {
    let rooms = [RoomName(from: "kitchen"), RoomName(from: "attic")]
    let list = RoomList(rooms, preferred: rooms[0])
    #expect(list.partitions == ["default", "attic"])
    #expect(try list.room(ofPartition: "default") == rooms[0])
    #expect(try list.room(ofPartition: "kitchen") == rooms[0])
    #expect(throws: CommandError(.noExist, "partition does not exist")) { try list.room(ofPartition: "cellar") }
    #expect(RoomList(rooms, preferred: RoomName(from: "hall")).usual == rooms[1])
  }

  @Test func changesWaitForTheClientAndAFilterLeavesTheOthers() {
    var idle = IdleState()
    idle.add([.player, .mixer])
    idle.begin([.mixer])
    #expect(idle.takeChanges() == [.mixer] && !idle.isIdle)
    idle.begin([])
    #expect(idle.takeChanges() == [.player])
    idle.begin([])
    #expect(idle.takeChanges() == nil && idle.end())
    #expect(idle.end() == false)
  }

  @Test func playlistsWithEqualTitlesHaveDifferentNames() {
    #expect(PlaylistNames.names(of: ["Mix", "A/B", "Mix", "Mix"]) == ["Mix", "A-B", "Mix [2]", "Mix [3]"])
  }
}

func queueItem(_ entry: String, _ track: Track? = nil) -> QueueItem {
  QueueItem(
    entry: EntryID(rawValue: entry), track: track ?? namedTrack(entry), origin: QueueItem.Origin(node: "test@main"))
}

private func namedTrack(_ name: String) -> Track { track(1, name, artist: "Ann", album: "One") }

func roomState(
  _ state: PlaybackState, offset: Int64 = 0, at seconds: Int64 = 0, item: QueueItem? = nil, revision: Int64 = 1
) -> Playback.RoomState {
  Playback.RoomState(
    room: RoomName(from: "kitchen"), state: state, item: item,
    position: Position(
      offset: Milliseconds(offset), rate: state == .playing ? 1 : 0, takenAt: Timestamp(seconds: seconds)),
    duration: item?.track.duration, volume: 50, queueRevision: revision, modes: Playback.Modes())
}
