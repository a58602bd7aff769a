import Model
import Testing

@testable import lunara_playback

/// What counts as headphones that are pulled.
struct HeadphonesTests {
  typealias Change = Headphones.Change

  private static let headset = SoundScene.Output(identity: "usb", isWorn: true)
  private static let speaker = SoundScene.Output(identity: "speaker")

  /// A laptop's card with its jack in use or not.
  private static func card(plugged: Bool, uses port: String? = nil) -> SoundScene.Output {
    let jack = SoundScene.Port(name: "headphones", isWorn: true, isEmpty: !plugged)
    let inner = SoundScene.Port(name: "speaker")
    let active = port ?? (plugged ? "headphones" : "speaker")
    return SoundScene.Output(
      identity: "card", port: active == "headphones" ? jack : inner, ports: [inner, jack])
  }

  /// What comes of scenes a second apart.
  private func changes(_ scenes: [SoundScene], apart: Milliseconds = Milliseconds(1000)) -> [Change?] {
    var headphones = Headphones()
    var now = Moment(nanoseconds: 0)
    return scenes.map { scene in
      now = now + apart
      return headphones.see(scene, at: now)
    }
  }

  @Test func headphonesOfTheirOwnThatGoAndComeBack() {
    let on = SoundScene(outputs: [Self.speaker, Self.headset], mine: "usb")
    // The server has moved the sound to what is left.
    let off = SoundScene(outputs: [Self.speaker], mine: "speaker")
    let back = SoundScene(outputs: [Self.speaker, Self.headset], mine: "speaker")
    #expect(changes([on, off, off, back, back, off]) == [nil, .pulled, nil, .back, nil, nil])
    #expect(changes([on, SoundScene(), on, off]) == [nil, .pulled, .back, .pulled])
  }

  @Test func aJackThatIsEmptyAndFilledAgain() {
    let on = SoundScene(outputs: [Self.card(plugged: true)], mine: "card")
    let off = SoundScene(outputs: [Self.card(plugged: false)], mine: "card")
    // Before the server has gone over to the loudspeaker.
    let between = SoundScene(outputs: [Self.card(plugged: false, uses: "headphones")], mine: "card")
    #expect(changes([on, off, on]) == [nil, .pulled, .back])
    #expect(changes([on, between, off, on, off]) == [nil, .pulled, nil, .back, .pulled])
  }

  @Test func whatAPersonMovesIsTheirs() {
    let on = SoundScene(outputs: [Self.speaker, Self.headset], mine: "usb")
    let moved = SoundScene(outputs: [Self.speaker, Self.headset], mine: "speaker")
    let pulledLater = SoundScene(outputs: [Self.speaker], mine: "speaker")
    #expect(changes([on, moved, moved, moved, pulledLater]) == [nil, nil, nil, nil, nil])
    let switched = SoundScene(outputs: [Self.card(plugged: true, uses: "speaker")], mine: "card")
    let plugged = SoundScene(outputs: [Self.card(plugged: true)], mine: "card")
    #expect(changes([plugged, switched, switched]) == [nil, nil, nil])
  }

  @Test func aServerThatMovesTheSoundFirstIsUnderstood() {
    let on = SoundScene(outputs: [Self.speaker, Self.headset], mine: "usb")
    let moved = SoundScene(outputs: [Self.speaker, Self.headset], mine: "speaker")
    let gone = SoundScene(outputs: [Self.speaker], mine: "speaker")
    #expect(changes([on, moved, gone], apart: Milliseconds(100)) == [nil, nil, .pulled])
  }

  @Test func loudspeakersMayGo() {
    let hdmi = SoundScene.Output(identity: "hdmi")
    let on = SoundScene(outputs: [Self.speaker, hdmi, Self.headset], mine: "hdmi")
    let off = SoundScene(outputs: [Self.speaker], mine: "speaker")
    #expect(changes([on, off, on]) == [nil, nil, nil])
  }

  @Test func headphonesThatNobodyListensToMayGo() {
    let unused = SoundScene(outputs: [Self.speaker, Self.headset], mine: "speaker")
    let off = SoundScene(outputs: [Self.speaker], mine: "speaker")
    #expect(changes([unused, off, unused]) == [nil, nil, nil])
    let silent = SoundScene(outputs: [Self.speaker, Self.headset])
    #expect(changes([silent, SoundScene(outputs: [Self.speaker])]) == [nil, nil])
  }
}
