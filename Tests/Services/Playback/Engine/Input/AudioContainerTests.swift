import Model
import TestSupport
import Testing

@testable import lunara_playback

/// Files that count as audio by their first bytes.
@Suite struct AudioContainerTests {
  private let audio = Audio()

  @Test func anMP3FileWithoutTagsOrWithJunkBeforeItIsRecognised() async throws {
    let sine = try await audio.sine("sine.wav", seconds: 1)
    let file = try audio.bytes(of: await audio.part("a.mp3", of: sine, from: 0, seconds: 1))
    let first = try #require(file.indices.first { file[$0] == 0xFF && file[$0 + 1] & 0xE0 == 0xE0 })
    let bare = Array(file[first...])
    #expect(AudioContainer(head: bare) == .mp3)
    #expect(AudioContainer(head: [UInt8](repeating: 0, count: 5000) + bare) == .mp3)
    #expect(AudioContainer(head: Array(bare.prefix(50))) == nil)
  }

  @Test(arguments: [
    "# mpv EDL v0\n/etc/passwd,0,10\n", "#EXTM3U\nhttp://127.0.0.1/a.mp3\n", "[playlist]\nFile1=/etc/passwd\n",
    "v=0\no=- 0 0 IN IP4 127.0.0.1\n", "[Reference]\nRef1=http://127.0.0.1/a\n",
    "ffconcat version 1.0\nfile /etc/passwd\n",
    "<asx version=\"3.0\"><entry><ref href=\"http://127.0.0.1/\"/></entry></asx>", "FILE \"a.wav\" WAVE\n",
    "\u{FEFF}#EXTM3U\n",
    ";FFMETADATA1\ntitle=x\n", "",
  ])
  func aListOfOtherFilesIsNoAudio(text: String) {
    #expect(AudioContainer(head: Array(text.utf8)) == nil)
    // Frames that follow a list do not make it audio.
    let frame: [UInt8] = [0xFF, 0xFB, 0x90, 0x00] + [UInt8](repeating: 0, count: 413)
    if !text.isEmpty { #expect(AudioContainer(head: Array(text.utf8) + frame + frame + frame) == nil) }
    #expect(AudioContainer(head: frame + frame) == .mp3)
  }
}

extension RealSound {
  /// The library takes files by `AudioContainer.endings`, and a room plays them all.
  @Suite struct TakenFormatTests {
    private let audio = Audio()

    /// Makes a file of two seconds; nil for formats that nothing here writes.
    private func file(_ ending: String) async throws -> LocalPath? {
      switch ending {
      case "dsf": return try audio.file("a.dsf", RareFiles.dsf(blocks: 200))
      case "dff": return try audio.file("a.dff", RareFiles.dff(seconds: 2))
      case "mod": return try audio.file("a.mod", RareFiles.module(title: "Square"))
      case _ where RareFiles.heads[ending] != nil: return nil
      default: break
      }
      let options = [
        "dts": ["-c:a", "dca", "-strict", "-2"], "rf64": ["-f", "wav", "-rf64", "always"], "ec3": ["-f", "eac3"],
        "snd": ["-f", "au"], "aifc": ["-f", "aiff"], "m4b": ["-f", "mp4"], "webm": ["-c:a", "libopus"],
        "mp4": ["-c:a", "aac"], "asf": ["-c:a", "wmav2"],
      ]
      let whole = try await audio.sine("whole.wav", seconds: 2, rate: 48_000)
      return try await audio.part("a.\(ending)", of: whole, from: 0, seconds: 2, options[ending] ?? [])
    }

    @Test(arguments: AudioContainer.endings.sorted())
    func everyTakenFormatIsPlayed(ending: String) async throws {
      let container = try #require(AudioContainer.named(ending: ending)).container
      guard let file = try await file(ending) else {
        #expect(AudioContainer(head: try #require(RareFiles.heads[ending])) == container)
        return
      }
      let head = Array(try audio.bytes(of: file).prefix(AudioContainer.headLength))
      #expect(AudioContainer(head: head) == container && !AudioContainer.isText(head))
      let out = audio.path("out.wav")
      let engine = MPVEngine(
        output: try AudioOutput(audio: "pcm:\(out)"), options: [("audio-format", "s16"), ("audio-samplerate", "48000")])
      let listener = EngineRecorder(engine)
      engine.send(.play(Cue(1, file), paused: false))
      #expect(await eventually(contains: .exhausted(nil)) { await listener.events })
      await engine.close()
      #expect(await listener.failures.isEmpty)
      let samples = try audio.samples(of: LocalPath(out))
      #expect(samples.count > 2 * 48_000, "\(samples.count)")
    }
  }
}
