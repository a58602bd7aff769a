import Glibc
import Messages
import Model
import TestSupport
import Testing

@testable import lunara_nowplaying

/// Clients that send invalid values, disconnect or send very many commands. The effects are those the standard names.
@Suite(.timeLimit(.minutes(3)))
struct UnusualClientTests {
  private static let name = "org.mpris.MediaPlayer2.lunara.den"
  private static let path = "/org/mpris/MediaPlayer2"
  private static let interface = "org.mpris.MediaPlayer2"
  private static let player = "org.mpris.MediaPlayer2.Player"
  private static let entry = EntryID(rawValue: "e1")
  private static let current = "objectpath '/org/lunara/entry/e1'"
  private static let foreign = "objectpath '/org/videolan/vlc/playlist/7'"
  private static let none = "objectpath '\(TrackPath.none)'"

  /// Values of the right types that make no sense, and the commands that the room gets for them.
  @Test func oddValuesDoWhatTheStandardSays() async throws {
    let (bus, fixture) = try await PlayersFixture.onABus()
    try await fixture.show("den", roomState(.playing, item: item(1)), current: 1, of: 3)
    var expected: [Playback.Transport.Action] = []
    func call(_ method: String, _ arguments: String...) async throws -> String {
      try await bus.gdbus(
        ["call", "--session", "--dest", Self.name, "--object-path", Self.path, "--method", method] + arguments)
    }
    for (method, arguments, action) in [
      ("Player.SetPosition", [Self.current, "int64 -1"], nil),
      ("Player.SetPosition", [Self.current, "int64 -9223372036854775808"], nil),
      ("Player.SetPosition", [Self.current, "int64 200000001"], nil),
      ("Player.SetPosition", [Self.current, "int64 9223372036854775807"], nil),
      ("Player.SetPosition", [Self.foreign, "int64 5000000"], nil),
      ("Player.SetPosition", [Self.none, "int64 5000000"], nil),
      ("Player.SetPosition", [Self.current, "int64 0"], .seek(to: .zero, of: Self.entry)),
      ("Player.Seek", ["int64 0"], nil),
      ("Player.Seek", ["int64 -9223372036854775808"], .skip(by: Milliseconds(Int64.min / 1000))),
      ("Player.Seek", ["int64 9223372036854775807"], .skip(by: Milliseconds(Int64.max / 1000))),
    ] as [(String, [String], Playback.Transport.Action?)] {
      #expect(
        try await bus.gdbus(
          [
            "call", "--session", "--dest", Self.name, "--object-path", Self.path, "--method",
            "\(Self.interface).\(method)",
          ] + arguments) == "()", "\(method) \(arguments)")
      expected += [action].compactMap(\.self)
    }
    for (property, value, action) in [
      ("Volume", "-0.5", .volume(0)), ("Volume", "7.0", .volume(100)), ("Volume", "-inf", .volume(0)),
      ("Volume", "1e308", .volume(100)), ("Rate", "nan", nil), ("Rate", "-1.0", nil), ("Rate", "inf", nil),
      ("Rate", "0.0", .pause),
    ] as [(String, String, Playback.Transport.Action?)] {
      let answer = try await call("org.freedesktop.DBus.Properties.Set", Self.player, property, "<\(value)>")
      #expect(answer == "()", "\(property) \(value)")
      expected += [action].compactMap(\.self)
      #expect(await eventually(equals: expected) { await fixture.room.actions })
    }
    #expect(try await bus.playerctl("lunara.den", "status") == "Playing")
  }

  /// Calls that MPRIS does not allow are refused.
  @Test func wrongTypesAndNamesAreErrors() async throws {
    let (bus, fixture) = try await PlayersFixture.onABus()
    try await fixture.show("den", roomState(.playing, item: item(1)), current: 1, of: 3)
    let long = String(repeating: "x", count: 60_000)
    for arguments in [
      ["Seek", "s", "far"], ["Seek"], ["Seek", "d", "1.5"], ["Seek", "xx", "1", "2"], ["Next", "s", "now"],
      ["SetPosition", "sx", "/org/lunara/entry/e1", "5"], ["SetPosition", "o", "/org/lunara/entry/e1"],
      ["SetPosition", "od", "/org/lunara/entry/e1", "5"], ["OpenUri", "s", "file:///etc/passwd"],
      ["OpenUri", "s", long],
      ["Eject"],
    ] {
      let answer = try await TestProcess.output(
        of: ["busctl", "--address=\(bus.address)", "call", Self.name, Self.path, Self.player] + arguments)
      #expect(!answer.isEmpty, "\(arguments.joined(separator: " ").prefix(60)) was taken")
    }
    for arguments in [
      ["Volume", "d", "nan"], ["Volume", "s", "loud"], ["Volume", "i", "1"], ["Volume", "b", "true"],
      ["Rate", "s", "fast"], ["Rate", "x", "0"], ["Shuffle", "s", "true"], ["Shuffle", "i", "1"],
      ["LoopStatus", "s", "Forever"], ["LoopStatus", "s", long], ["LoopStatus", "i", "1"], ["Position", "x", "5"],
      ["PlaybackStatus", "s", "Playing"], ["Metadata", "a{sv}", "0"], ["CanControl", "b", "false"], ["Bass", "d", "1"],
    ] {
      let answer = try await TestProcess.output(
        of: ["busctl", "--address=\(bus.address)", "set-property", Self.name, Self.path, Self.player] + arguments)
      #expect(!answer.isEmpty, "\(arguments.joined(separator: " ").prefix(60)) was taken")
    }
    for method in ["Raise", "Quit"] {
      #expect(try await bus.busctl("call", Self.name, Self.path, Self.interface, method) == "")
    }
    #expect(await fixture.room.actions == [])
    #expect(await fixture.room.shuffles == [])
    #expect(try await bus.playerctl("lunara.den", "status") == "Playing")
  }

  @Test func callersThatHangUpChangeNothingForOthers() async throws {
    let (bus, fixture) = try await PlayersFixture.onABus()
    await fixture.room.hold()
    try await fixture.show("den", roomState(.playing, item: item(1)), current: 1, of: 3)
    func caller(_ method: String) throws -> TestProcess {
      try TestProcess([
        "busctl", "--address=\(bus.address)", "--timeout=120", "call", Self.name, Self.path, Self.player, method,
      ])
    }
    let first = try caller("Next")
    #expect(await eventually(equals: [.next]) { await fixture.room.actions })
    // The first client disconnects while the room carries out its command, the others maybe before their call arrived.
    let others = try (1...10).map { _ in try caller("Stop") }
    for caller in [first] + others { await caller.stop(SIGKILL) }
    await fixture.room.release()
    #expect(try await bus.playerctl("lunara.den", "previous") == "")
    let actions = await fixture.room.actions
    #expect(actions.first == .next && actions.last == .previous)
    #expect(actions.dropFirst().dropLast().allSatisfy { $0 == .stop } && actions.count <= 12)
    #expect(try await bus.players() == ["lunara.den"])
  }

  /// Each caller waits for its answer, so that few commands wait at a time: each is carried out once.
  @Test func manyCommandsFromSeveralClientsAreAllAnswered() async throws {
    let (bus, fixture) = try await PlayersFixture.onABus()
    try await fixture.show("den", roomState(.playing, item: item(1)), current: 1, of: 3)
    let each = 60
    let calls = [
      "PlayPause", "Next", "Previous", "Seek int64:5000000",
      "SetPosition objpath:/org/lunara/entry/e1 int64:7000000",
    ]
    let storms = try calls.map { call in
      let words = call.split(separator: " ", maxSplits: 1)
      return try TestProcess([
        "sh", "-c",
        """
        for i in $(seq \(each)); do dbus-send --bus=\(bus.address) --print-reply --reply-timeout=120000 \
          --dest=\(Self.name) \(Self.path) \(Self.player).\(words[0]) \(words.dropFirst().joined()); done
        """,
      ])
    }
    for storm in storms {
      var answers: [String] = []
      for await line in storm.lines { answers.append(line) }
      #expect(answers.count == each && answers.allSatisfy { $0.hasPrefix("method return ") })
    }
    let actions = await fixture.room.actions
    for action in [
      .toggle, .next, .previous, .skip(by: Milliseconds(5000)), .seek(to: Milliseconds(7000), of: Self.entry),
    ] as [Playback.Transport.Action] { #expect(actions.count { $0 == action } == each) }
    #expect(try await bus.playerctl("lunara.den", "status") == "Playing")
  }
}
