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

  @Test func aMissingOutputIsNotThePluginsFault() throws {
    var room = try RoomMachineHarness(tracks: 2)
    room.answerFinds(only: 1) { _ in address(of: "one") }
    room.sound(.failed(try #require(room.machine.tracks.first?.id), LunaraError("playback.noOutput", "None.")))
    #expect(room.failedPlugins.isEmpty && room.state.retriesAt != nil)
  }
}
