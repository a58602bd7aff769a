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
    #expect(MPVText.options(of: cue) == "start=1.5,cache=yes")
    #expect(MPVText.options(of: Cue(1, LocalPath("/a"))).isEmpty)
    #expect(MPVText.options(of: Cue(1, LocalPath("/a")).gained(-6.5)) == "af=%28%lavfi=[volume=volume=-6.5dB]")
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
