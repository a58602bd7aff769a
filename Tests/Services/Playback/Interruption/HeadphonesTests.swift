import Model
import Testing

@testable import lunara_playback

/// What counts as headphones that are pulled.
struct HeadphonesTests {
  typealias Change = Headphones.Change

  private static let headset = SoundServerState.Output(identity: "usb", isWorn: true)
  private static let speaker = SoundServerState.Output(identity: "speaker")

  /// A laptop's card with its jack in use or not.
  private static func card(plugged: Bool, uses port: String? = nil) -> SoundServerState.Output {
    let jack = SoundServerState.Port(name: "headphones", isWorn: true, isEmpty: !plugged)
    let inner = SoundServerState.Port(name: "speaker")
    let active = port ?? (plugged ? "headphones" : "speaker")
    return SoundServerState.Output(
      identity: "card", port: active == "headphones" ? jack : inner, ports: [inner, jack])
  }

  /// What comes of scenes a second apart.
  private func changes(_ scenes: [SoundServerState], apart: Milliseconds = Milliseconds(1000)) -> [Change?] {
    var headphones = Headphones()
    var now = MonotonicTime(nanoseconds: 0)
    return scenes.map { scene in
      now = now + apart
      return headphones.see(scene, at: now)
    }
  }

  @Test func headphonesOfTheirOwnThatGoAndComeBack() {
    let on = SoundServerState(outputs: [Self.speaker, Self.headset], mine: "usb")
    // The server has moved the sound to what is left.
    let off = SoundServerState(outputs: [Self.speaker], mine: "speaker")
    let back = SoundServerState(outputs: [Self.speaker, Self.headset], mine: "speaker")
    #expect(changes([on, off, off, back, back, off]) == [nil, .pulled, nil, .back, nil, nil])
    #expect(changes([on, SoundServerState(), on, off]) == [nil, .pulled, .back, .pulled])
  }

  @Test func aJackThatIsEmptyAndFilledAgain() {
    let on = SoundServerState(outputs: [Self.card(plugged: true)], mine: "card")
    let off = SoundServerState(outputs: [Self.card(plugged: false)], mine: "card")
    // Before the server has gone over to the loudspeaker.
    let between = SoundServerState(outputs: [Self.card(plugged: false, uses: "headphones")], mine: "card")
    #expect(changes([on, off, on]) == [nil, .pulled, .back])
    #expect(changes([on, between, off, on, off]) == [nil, .pulled, nil, .back, .pulled])
  }

  @Test func whatAPersonMovesIsTheirs() {
    let on = SoundServerState(outputs: [Self.speaker, Self.headset], mine: "usb")
    let moved = SoundServerState(outputs: [Self.speaker, Self.headset], mine: "speaker")
    let pulledLater = SoundServerState(outputs: [Self.speaker], mine: "speaker")
    #expect(changes([on, moved, moved, moved, pulledLater]) == [nil, nil, nil, nil, nil])
    let switched = SoundServerState(outputs: [Self.card(plugged: true, uses: "speaker")], mine: "card")
    let plugged = SoundServerState(outputs: [Self.card(plugged: true)], mine: "card")
    #expect(changes([plugged, switched, switched]) == [nil, nil, nil])
  }

  @Test func aServerThatMovesTheSoundFirstIsUnderstood() {
    let on = SoundServerState(outputs: [Self.speaker, Self.headset], mine: "usb")
    let moved = SoundServerState(outputs: [Self.speaker, Self.headset], mine: "speaker")
    let gone = SoundServerState(outputs: [Self.speaker], mine: "speaker")
    #expect(changes([on, moved, gone], apart: Milliseconds(100)) == [nil, nil, .pulled])
  }

  @Test func loudspeakersMayGo() {
    let hdmi = SoundServerState.Output(identity: "hdmi")
    let on = SoundServerState(outputs: [Self.speaker, hdmi, Self.headset], mine: "hdmi")
    let off = SoundServerState(outputs: [Self.speaker], mine: "speaker")
    #expect(changes([on, off, on]) == [nil, nil, nil])
  }

  @Test func headphonesThatNobodyListensToMayGo() {
    let unused = SoundServerState(outputs: [Self.speaker, Self.headset], mine: "speaker")
    let off = SoundServerState(outputs: [Self.speaker], mine: "speaker")
    #expect(changes([unused, off, unused]) == [nil, nil, nil])
    let silent = SoundServerState(outputs: [Self.speaker, Self.headset])
    #expect(changes([silent, SoundServerState(outputs: [Self.speaker])]) == [nil, nil])
  }
}
