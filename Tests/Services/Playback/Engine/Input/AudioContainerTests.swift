import Model
import TestSupport
import Testing

@testable import lunara_playback

/// What counts as audio by its first bytes.
@Suite struct AudioContainerTests {
  private let audio = Audio()

  @Test(
    arguments: [
      ("a.flac", .flac), ("a.mp3", .mp3), ("a.ogg", .ogg), ("a.opus", .ogg), ("a.spx", .ogg), ("a.m4a", .mp4),
      ("a.wav", .wav), ("a.aiff", .aiff), ("a.wv", .wavPack), ("a.tta", .tta), ("a.mp2", .mp3), ("a.aac", .aac),
      ("a.mka", .matroska), ("a.wma", .asf), ("a.caf", .caf),
    ] as [(String, AudioContainer)])
  func everyKindOfFileThatTheLibraryListsIsRecognised(name: String, container: AudioContainer) async throws {
    let sine = try await audio.sine("sine.wav", seconds: 1, rate: 32_000)
    let file = try await audio.part(name, of: sine, from: 0, seconds: 1)
    let head = Array(try audio.bytes(of: file).prefix(AudioContainer.headLength))
    #expect(AudioContainer(head: head) == container)
    #expect(!AudioContainer.isText(head))
  }

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
