import Messages
import Model
import Testing

@testable import lunara_playback

/// The texts that libmpv is given, and the texts of libmpv that are passed on.
struct MPVTextTests {
  @Test func onlyFilesAndHTTPAddressesAreAccepted() {
    for url in ["file:///etc/passwd", "/etc/passwd", "edl://x", "memory://x", "http://a/\r\nX: y", ""] {
      #expect(!MPVText.accepts(.url(url, headers: [:])))
    }
    #expect(!MPVText.accepts(.url("http://a/b", headers: ["X\n": "y"])))
    #expect(!MPVText.accepts(.url("http://a/b", headers: ["X": "y\r\nZ: 1"])))
    #expect(!MPVText.accepts(.file(LocalPath("relative.flac"))))
    #expect(!MPVText.accepts(.file(LocalPath(bytes: [47, 0, 97]))))
    #expect(MPVText.accepts(.url("https://a/b", headers: ["X": "y"])))
    #expect(MPVText.accepts(.file(LocalPath("/a"))))
  }

  @Test func theOptionsOfACueHoldNoAddressAndNoHeader() {
    let cue = Cue(
      id: CueID(number: 1), locator: .url("http://a", headers: ["X-Token": "secret"]), start: Milliseconds(1500))
    #expect(MPVText.options(of: cue, isBuffered: true) == "start=1.5,cache=yes")
    #expect(MPVText.options(of: Cue(1, LocalPath("/a")), isBuffered: false).isEmpty)
    let quieter = Cue(1, LocalPath("/a")).gained(-6.5)
    #expect(MPVText.options(of: quieter, isBuffered: false) == "af=%28%lavfi=[volume=volume=-6.5dB]")
  }

  @Test func aSegmentStartsAndEndsHalfASampleAfterItsSamples() {
    let cue = Cue(1, LocalPath("/a"), samples: 588..<1_176_000)
    #expect(MPVText.options(of: cue, isBuffered: false) == "start=0.013344671,end=26.666678004")
    #expect(MPVText.seconds(of: .zero, in: cue) == "0.013344671")
    #expect(MPVText.seconds(of: Milliseconds(62_990), in: cue) == "63.003344671")
    // Nothing is cut off before the first sample of a file.
    let first = Cue(1, LocalPath("/a"), samples: 0..<588)
    #expect(MPVText.options(of: first, isBuffered: false) == "end=0.013344671")
    #expect(MPVText.seconds(of: .zero, in: first) == "0")
    // A month into a file of the highest rate, no sample is mistaken for another.
    let rate = 12_288_000
    for sample in [Int64(rate) * 2_500_000 + 1, 1, 17, 12_287_999] {
      let seconds = SampleTime.text(sample, rate).split(separator: ".").compactMap { Int64($0) }
      let nanoseconds = seconds[0] % 1000 * 1_000_000_000 + seconds[1]
      let before = (sample % (Int64(rate) * 1000)) * 1_000_000_000
      #expect(nanoseconds * Int64(rate) > before && nanoseconds * Int64(rate) < before + 1_000_000_000)
    }
  }

  @Test func anImpossibleSegmentIsNotPlayed() {
    func accepts(_ start: Int64, _ end: Int64?, _ rate: Int) -> Bool {
      MPVText.accepts(.file(LocalPath("/a"), segment: AudioSegment(start: start, end: end, sampleRate: rate)))
    }
    #expect(accepts(0, nil, 44_100) && accepts(588, 589, 8000))
    for (start, end, rate) in [(-1, nil, 44_100), (5, 5, 44_100), (5, 4, 44_100), (0, nil, 0), (0, nil, -1)]
      as [(Int64, Int64?, Int)]
    {
      #expect(!accepts(start, end, rate))
    }
    #expect(!accepts(.max, nil, 44_100) && !accepts(0, .max, 44_100) && !accepts(0, nil, .max))
  }

  @Test func onlyDevicesAreListed() {
    let json = """
      [{"name":"auto","description":"Autoselect device"},{"name":"pulse/one","description":"One"},
       {"name":"alsa","description":"Default (alsa)"},{"name":"alsa/lavrate","description":"Rate Converter"},
       {"name":"alsa/hw:CARD=PCH,DEV=0","description":"Card"},{"name":"alsa/usbstream:CARD=PCH","description":"USB"},
       {"name":"jack","description":"JACK"},{"name":"sdl","description":"SDL"}]
      """
    #expect(MPVText.devices(json).map(\.name) == ["pulse/one", "alsa/hw:CARD=PCH,DEV=0"])
    #expect(MPVText.everyDevice(json).map(\.name).contains("alsa/usbstream:CARD=PCH"))
    let both = #"[{"name":"pulse/one","description":"One"},{"name":"pipewire/one","description":"One"}]"#
    #expect(MPVText.devices(both) == [Playback.OutputDevice(name: "pipewire/one", title: "One")])
    for text in ["", "[]", "{}", "nonsense", #"[{"description":"x"}]"#] { #expect(MPVText.devices(text).isEmpty) }
  }

  @Test func errorMessagesContainNoAddress() {
    #expect(MPVText.complaint("Failed to open http://host/a?token=secret.\n") == "Failed to open …")
    #expect(MPVText.complaint("tcp: Connection to tcp://h:1 failed") == "tcp: Connection to … failed")
    #expect(MPVText.complaint("No such file or directory\n") == "No such file or directory")
  }

  @Test func settingsForTheOutputAreRead() throws {
    #expect(try AudioOutput(audio: "auto").usesSoundServer)
    #expect(try AudioOutput(audio: "null").pace == .steady(1))
    #expect(try AudioOutput(audio: "null") { _ in "20" }.pace == .steady(20))
    #expect(try AudioOutput(audio: "null") { _ in "max" }.pace == .free)
    #expect(try AudioOutput(audio: "pcm:/tmp/a b.wav").options[1].value == "/tmp/a b.wav")
    #expect(try AudioOutput(audio: "alsa/hw:0").options[1].value == "alsa/hw:0")
    // A speed that was left set by a test is ignored for a real device.
    #expect(try AudioOutput(audio: "auto") { _ in "20" }.pace == .steady(1))
    for speed in ["0", "101", "-1", "fast", "nan"] {
      #expect(throws: LunaraError.self) { try AudioOutput(audio: "null") { _ in speed } }
    }
    #expect(throws: LunaraError.self) { try AudioOutput(audio: "pcm:") }
  }
}
