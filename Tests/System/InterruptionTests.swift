import TestSupport
import Testing

extension SystemTests {
  /// Interruptions of the host while a room plays.
  @Suite struct InterruptionTests {
    @Test func aHostThatSleepsFindsTheRoomPausedAndItPlaysOnAfterwards() async throws {
      let music = try #require(TestMusic.current)
      let mock = try await MockLogind.start()
      let environment = ["DBUS_SYSTEM_BUS_ADDRESS": mock.address]
      try await Household.with(.init(music: [music.path], environment: environment)) { household in
        try await household.up()
        _ = try await household.source(holding: 6)
        #expect(try await mock.locks().isEmpty, "a room without sound holds nothing")
        try await household.run("play", "Morning Tide")
        _ = try await household.room(is: "playing")
        try await soon("the host is kept busy", equals: ["idle block", "sleep delay"]) { try await mock.locks() }
        try await mock.prepareForSleep(true)
        let asleep = try await household.room(is: "paused")
        #expect(asleep.interruption.asString == "sleep")
        try await soon("the host may sleep", equals: []) { try await mock.locks() }
        try await mock.prepareForSleep(false)
        let awake = try await household.room(is: "playing")
        #expect(awake.interruption == .null && awake.track == asleep.track)
        // A room that a person pauses during the sleep stays paused.
        try await mock.prepareForSleep(true)
        _ = try await household.room(is: "paused")
        try await household.run("pause")
        #expect(try await household.room().interruption == .null)
        try await mock.prepareForSleep(false)
        try await soon("the end of the sleep has been heard of", equals: []) { try await mock.locks() }
        #expect(try await household.room().state.asString == "paused")
      }
      mock.end()
    }

    @Test func headphonesThatArePulledSilenceTheRoomUntilTheyAreBack() async throws {
      let music = try #require(TestMusic.current)
      let pulse = try await PulseServer.start()
      try await pulse.addSink("loud", form: "speaker")
      let module = try await pulse.addSink("worn", form: "headphone")
      try await pulse.setDefault("worn")
      let environment = ["LUNARA_AUDIO": "pulse", "PULSE_SERVER": pulse.address]
      try await Household.with(.init(music: [music.path], environment: environment)) { household in
        try await household.up()
        _ = try await household.source(holding: 6)
        try await household.run("play", "Morning Tide")
        _ = try await household.room(is: "playing")
        try await soon("the headphones sound", equals: ["worn"]) { try await pulse.playing() }
        try await pulse.remove(module)
        let pulled = try await household.room(is: "paused")
        #expect(pulled.interruption.asString == "output")
        try await soon("the loudspeakers are silent", equals: []) { try await pulse.playing() }
        try await pulse.addSink("worn", form: "headphone")
        try await pulse.setDefault("worn")
        try await pulse.moveStreams(to: "worn")
        let back = try await household.room(is: "playing")
        #expect(back.interruption == .null && back.track == pulled.track)
      }
      pulse.end()
    }
  }
}
