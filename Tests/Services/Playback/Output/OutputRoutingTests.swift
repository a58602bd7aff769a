import Messages
import Model
import Testing

@testable import lunara_playback

/// The device that the sound goes to.
struct OutputRoutingTests {
  private let speaker = Playback.OutputDevice(name: "pulse/speaker", title: "Speaker")
  private let phones = Playback.OutputDevice(name: "pulse/phones", title: "Headphones")
  private let failure = LunaraError("playback.noOutput", "None.")

  /// A room that plays on headphones that were chosen in its settings.
  private func onPhones() -> OutputRouting {
    var routing = OutputRouting(chosen: "pulse/phones")
    _ = routing.opened("pulse")
    _ = routing.listed([speaker, phones], isPlaying: true)
    return routing
  }

  private func told(_ actions: [OutputRouting.Action]) -> [String] {
    actions.map { action in
      switch action {
      case .use(let name): "use \(name ?? "auto")"
      case .report(.output(let used, let problem)): "output \(used ?? "none")\(problem.map { " \($0.code)" } ?? "")"
      case .report(.devices(let devices)): "devices \(devices.count)"
      case .report: "?"
      case .reopen: "reopen"
      case .hold(let error): "hold \(error.code)"
      case .fail: "fail"
      case .watchDevices: "watch"
      }
    }
  }

  @Test func theOpenOutputIsReported() {
    var routing = OutputRouting()
    #expect(told(routing.opened(nil)) == [])
    #expect(told(routing.opened("pulse")) == ["output pulse"])
    #expect(told(routing.opened("pulse")) == [])
    #expect(told(routing.opened(nil)) == ["output none"])
    #expect(told(onPhones().choosing("pulse/speaker")) == ["use pulse/speaker", "watch", "output pulse/speaker"])
    #expect(told(onPhones().choosing(nil)) == ["use auto", "output pulse"])
    #expect(told(onPhones().choosing("pulse/phones")) == [])
  }

  @Test func aDeviceThatIsGoneWhileItPlaysHoldsTheSound() {
    var routing = onPhones()
    #expect(
      told(routing.listed([speaker], isPlaying: true)) == [
        "devices 1", "hold playback.outputGone", "use auto", "output pulse playback.outputGone",
      ])
    // The sound is held only once.
    #expect(told(routing.listed([speaker], isPlaying: true)) == ["devices 1"])
    #expect(
      told(routing.listed([speaker, phones], isPlaying: false)) == [
        "devices 2", "use pulse/phones", "output pulse/phones",
      ])
  }

  @Test func aDeviceThatVanishesInSilenceIsReplacedWithoutAHold() {
    var routing = onPhones()
    #expect(
      told(routing.listed([speaker], isPlaying: false)) == [
        "devices 1", "use auto", "output pulse playback.outputGone",
      ])
  }

  @Test func aDeviceThatCannotBeOpenedIsReplaced() {
    var routing = OutputRouting(chosen: "pulse/phones")
    #expect(
      told(routing.ended(.unheard, failure)) == ["use auto", "watch", "output none playback.outputGone", "reopen"])
    #expect(told(routing.opened("pulse")) == ["watch", "output pulse playback.outputGone"])
    // There is no other device either.
    #expect(told(routing.ended(.unheard, failure)) == ["fail", "output none playback.outputGone"])
  }

  @Test func theOnlyOutputThatIsGoneHoldsTheSoundUntilOneIsThere() {
    var routing = OutputRouting()
    _ = routing.opened("pulse")
    #expect(told(routing.ended(.playing, failure)) == ["hold playback.noOutput", "watch", "output none"])
    #expect(told(routing.listed([], isPlaying: false)) == ["devices 0"])
    #expect(told(routing.listed([speaker], isPlaying: false)) == ["devices 1", "reopen"])
    // The device could not be opened yet; the room waits for the next list of devices.
    #expect(told(routing.ended(.paused, failure)) == ["watch"])
    #expect(told(routing.listed([speaker], isPlaying: false)) == ["devices 1", "reopen"])
    #expect(told(routing.opened("pulse")) == ["output pulse"])
    #expect(told(routing.listed([speaker], isPlaying: false)) == ["devices 1"])
  }

  @Test func aChosenDeviceThatPeopleAreNotShownIsReturnedTo() {
    var routing = OutputRouting(chosen: "alsa/default:CARD=DAC")
    _ = routing.opened("alsa")
    let dac: Set<String> = ["auto", "alsa/default:CARD=DAC"]
    #expect(told(routing.listed([speaker], named: dac, isPlaying: true)) == ["devices 1"])
    let lost = routing.listed([speaker], named: ["auto"], isPlaying: true)
    #expect(
      told(lost) == ["devices 1", "hold playback.outputGone", "use auto", "output alsa playback.outputGone"])
    #expect(
      told(routing.listed([speaker], named: dac, isPlaying: false)) == [
        "devices 1", "use alsa/default:CARD=DAC", "output alsa/default:CARD=DAC",
      ])
  }

  @Test func aHeldRoomIsToldThatTheMusicWaits() {
    for actions in [
      { (routing: inout OutputRouting) in routing.listed([speaker], isPlaying: true) },
      { (routing: inout OutputRouting) in routing.ended(.playing, failure) },
    ] {
      var routing = onPhones()
      let errors = actions(&routing).compactMap { if case .hold(let error) = $0 { error.message } else { nil } }
      #expect(errors.count == 1 && errors.allSatisfy { $0.contains("The music waits") })
    }
  }

  @Test func aDeviceThatNoListKnowsIsUsed() {
    var routing = OutputRouting(chosen: "alsa/hw:9")
    _ = routing.opened("alsa")
    #expect(told(routing.listed([speaker], isPlaying: true)) == ["devices 1"])
  }
}

extension OutputRouting {
  /// Returns the actions of choosing a device.
  fileprivate func choosing(_ name: String?) -> [Action] {
    var routing = self
    return routing.choose(name)
  }
}
