import FoundationEssentials
import Messages
import Model
import Testing

@testable import lunara_playback

/// Tracks whose addresses come from plugins.
struct RoomPluginTests {
  private func address(of plugin: String, insteadOf former: String? = nil) -> Result<Library.Locator, LunaraError> {
    .success(
      .url(
        "https://\(plugin).example/t", headers: [:],
        plugin: .init(id: plugin, name: plugin.capitalized, insteadOf: former)))
  }

  @Test(arguments: ["playback.streamRefused", "playback.streamUnreachable", "playback.notAudio"])
  func whereAPluginsAddressFailsTheNextOnePlaysAndTheNoticeNamesBoth(code: String) throws {
    var room = try RoomMachineHarness(tracks: 2)
    room.answerFinds(only: 1) { _ in address(of: "one") }
    #expect(room.state.plugin == "One" && room.state.notice == nil)
    room.sound(.failed(try #require(room.machine.tracks.first?.id), LunaraError(code, "It failed.")))
    #expect(room.failedPlugins == ["one"] && room.facts.isEmpty)
    room.answerFinds(only: 1) { _ in address(of: "two", insteadOf: "One") }
    let id = try #require(room.machine.tracks.first?.id)
    room.sound(.began(id))
    room.sound(.flowing(id, .zero))
    #expect(room.state.state == .playing && room.state.plugin == "Two")
    let notice = try #require(room.state.notice)
    #expect(notice.code == "playback.otherPlugin")
    #expect(notice.message.contains("One could not play") && notice.message.contains("Two plays it"))
  }

  @Test func aTrackThatNoPluginPlaysIsPassedOver() throws {
    var room = try RoomMachineHarness(tracks: 2)
    for (plugin, failed) in [("one", ["one"]), ("one", ["one", "one"])] {
      room.answerFinds(only: 1) { _ in address(of: plugin) }
      room.sound(
        .failed(try #require(room.machine.tracks.first?.id), LunaraError("playback.streamRefused", "It failed.")))
      #expect(room.failedPlugins == failed)
    }
    room.answerFinds(only: 1) { _ in .failure(LunaraError("resolver.notFound", "Nobody has it.")) }
    room.answerFinds()
    #expect(room.state.item == .numbered(2))
  }

  @Test func aPreviewIsCalledSoAndCountsNoListen() throws {
    var room = try RoomMachineHarness(tracks: 2)
    let preview = Library.PluginSource(id: "one", name: "One", isPreview: true)
    room.answerFinds(only: 1) { _ in .success(.url("https://one.example/p", headers: [:], plugin: preview)) }
    let id = try #require(room.machine.tracks.first?.id)
    room.sound(.began(id))
    room.sound(.flowing(id, .zero))
    #expect(room.state.state == .playing && room.state.isPreview == true && room.state.plugin == "One")
    #expect(room.state.listen == nil)
    // It ends long before the length of the track, and nothing is wrong with that.
    room.sound(.ended(id, Milliseconds(30_000)))
    #expect(room.facts.isEmpty && room.state.isPreview == nil)
  }

  @Test(arguments: [
    ("resolver.notFound", "playback.noSource"), ("library.notHere", "playback.noSource"),
    ("resolver.noPlugins", "playback.noEnabledSource"), ("resolver.noEnabledSource", "playback.noEnabledSource"),
  ])
  func aDescribedTrackWithoutASourceIsPassedOverWithANotice(code: String, notice: String) throws {
    var room = try RoomMachineHarness(tracks: 3)
    var item = QueueItem.numbered(1)
    item.described = DescribedTrack(title: "Gone", artist: "Nobody")
    room.answerFinds(only: 1, item: item) { _ in .failure(LunaraError(code, "Nobody has it.")) }
    #expect(room.state.notice?.code == notice && room.state.notice?.cause == "Nobody has it.")
    room.answerFinds()
    let id = try #require(room.machine.tracks.first?.id)
    room.sound(.began(id))
    room.sound(.flowing(id, .zero))
    #expect(room.state.item == .numbered(2) && room.state.notice?.code == notice)
    room.sound(.ended(id, Milliseconds(60_000)))
    #expect(room.state.notice == nil)
  }

  @Test func aTrackOfTheLibraryThatFailsGivesNoSuchNotice() throws {
    var room = try RoomMachineHarness(tracks: 2)
    room.answerFinds(only: 1) { _ in .failure(LunaraError("library.notHere", "Gone.")) }
    #expect(room.state.notice == nil)
  }

  @Test func aMissingOutputIsNotThePluginsFault() throws {
    var room = try RoomMachineHarness(tracks: 2)
    room.answerFinds(only: 1) { _ in address(of: "one") }
    room.sound(.failed(try #require(room.machine.tracks.first?.id), LunaraError("playback.noOutput", "None.")))
    #expect(room.failedPlugins.isEmpty && room.state.retriesAt != nil)
  }
}
