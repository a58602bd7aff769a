import Glibc
import Messages
import Model
import MusicTags
import System
import TestSupport
import Testing

@testable import Records
@testable import Sources

/// Formats that `lunara-formats` reads, as TagLib does not know them.
@Suite(.timeLimit(.minutes(5)))
struct RareFormatsTests {
  private static let metadata = [
    "title=Tïtel", "artist=Ärtist", "album=Älbum", "album_artist=Band", "track=3/12", "disc=2/2", "date=1999-05-01",
    "genre=Jazz",
  ].flatMap { ["-metadata", $0] }

  private func path(_ tree: MusicTree, _ name: String) -> String {
    String(decoding: tree.path(name), as: UTF8.self)
  }

  @Test(arguments: [
    ("pcm.caf", ["-c:a", "pcm_s24be", "-ar", "96000"], "PCM 24/96"), ("alac.caf", ["-c:a", "alac"], "ALAC 16/44.1"),
    ("flac.mka", ["-c:a", "flac"], "FLAC 16/44.1"), ("a.au", ["-c:a", "pcm_s16be"], "PCM 16/44.1"),
    ("a.w64", ["-c:a", "pcm_s24le", "-ar", "48000"], "PCM 24/48"),
    ("a.rf64", ["-f", "wav", "-rf64", "always"], "PCM 16/44.1"),
    ("named.wav", ["-f", "wav", "-rf64", "always"], "PCM 16/44.1"),
    ("a.ac3", ["-b:a", "192k"], "AC3 192"), ("a.eac3", ["-b:a", "192k"], "EAC3 192"),
    ("a.dts", ["-c:a", "dca", "-strict", "-2", "-b:a", "768k"], "DTS 768"),
  ])
  func lengthAndPropertiesAreTrue(_ name: String, _ options: [String], _ summary: String) async throws {
    let catalogue = try TestCatalogue()
    try await FFmpeg.sine(path(catalogue.tree, name), ["-ac", "2"] + options)
    try await catalogue.refresh()
    let copy = try await catalogue.copy()
    #expect(copy.audio?.summary == summary && copy.audio?.channels == 2)
    #expect(copy.isLossless == (copy.audio?.bitDepth != nil))
    let track = try #require(try await catalogue.tracks().first)
    #expect(abs(track.duration.rawValue - 2000) < 60, "\(track.duration.rawValue)")
  }

  @Test(arguments: [
    ("a.aac", ["-c:a", "aac"], "aac"), ("opus.mka", ["-c:a", "libopus"], "opus"),
    ("a.webm", ["-c:a", "libopus"], "opus"), ("opus.mp4", ["-c:a", "libopus"], "opus"),
  ])
  func lossyFormatsHaveABitRateAndNoDepth(_ name: String, _ options: [String], _ codec: String) async throws {
    let catalogue = try TestCatalogue()
    try await FFmpeg.sine(path(catalogue.tree, name), ["-ac", "2"] + options)
    try await catalogue.refresh()
    let audio = try #require(try await catalogue.copy().audio)
    #expect(audio.codec == codec && audio.channels == 2 && audio.bitDepth == nil)
    #expect((8...400).contains(try #require(audio.bitRate)), "\(audio)")
    let duration = try #require(try await catalogue.tracks().first).duration
    #expect(abs(duration.rawValue - 2000) < 80, "\(duration.rawValue)")
  }

  @Test(arguments: [("a.mka", ["-c:a", "flac"]), ("a.webm", ["-c:a", "libvorbis"])])
  func tagsAreRead(_ name: String, _ options: [String]) async throws {
    let catalogue = try TestCatalogue()
    try await FFmpeg.sine(path(catalogue.tree, name), options + Self.metadata)
    try await catalogue.refresh()
    let track = try #require(try await catalogue.tracks().first)
    #expect(track.title == "Tïtel" && track.artist == "Ärtist" && track.album == "Älbum")
    #expect(track.albumArtist == "Band" && track.number == 3 && track.disc == 2 && track.year == 1999)
    #expect(track.genres == ["Jazz"])
  }

  @Test func theLengthOfAACWithChangingBitRateIsCounted() async throws {
    let catalogue = try TestCatalogue()
    // Noise after silence: an estimate from the first frames would be many times too long.
    try await FFmpeg.run([
      "-f", "lavfi", "-i", "aevalsrc=if(gt(t\\,10)\\,random(0)\\,0):s=44100:d=30", "-c:a", "aac",
      path(catalogue.tree, "a.aac"),
    ])
    try await catalogue.refresh()
    let duration = try #require(try await catalogue.tracks().first).duration
    #expect(abs(duration.rawValue - 30_000) < 100, "\(duration.rawValue)")
  }

  @Test func dsfFilesHaveTheirRateLengthAndTags() async throws {
    let catalogue = try TestCatalogue()
    let tag = ID3Tag.bytes([("TIT2", "Tïtel"), ("TPE1", "Ärtist"), ("TALB", "Älbum"), ("TSRC", "GBAYE0601498")])
    try catalogue.tree.write(RareFiles.dsf(blocks: 200, tag: tag), to: "a.dsf")
    try await catalogue.refresh()
    let (copy, track) = (try await catalogue.copy(), try #require(try await catalogue.tracks().first))
    #expect(copy.audio?.summary == "DSD64" && copy.audio?.sampleRate == 2_822_400 && copy.audio?.bitDepth == 1)
    #expect(copy.audio?.channels == 2 && copy.isLossless)
    #expect(track.title == "Tïtel" && track.artist == "Ärtist" && track.album == "Älbum")
    #expect(track.isrc == "GBAYE0601498")
    #expect(abs(track.duration.rawValue - 200 * 4096 * 8 * 1000 / 2_822_400) <= 1)
  }

  @Test func dffFilesHaveTheirRateLengthAndTags() async throws {
    let catalogue = try TestCatalogue()
    try catalogue.tree.write(RareFiles.dff(seconds: 2), to: "a.dff")
    try await catalogue.refresh()
    let (copy, track) = (try await catalogue.copy(), try #require(try await catalogue.tracks().first))
    #expect(copy.audio?.summary == "DSD64" && copy.audio?.channels == 2 && copy.isLossless)
    #expect(track.duration == Milliseconds(2000) && track.title == "Tïtel" && track.artist == "Ärtist")
  }

  @Test func aTagInADFFFileComesBeforeItsOtherNames() async throws {
    let catalogue = try TestCatalogue()
    let tag = ID3Tag.bytes([("TIT2", "Title"), ("TCOM", "Composer"), ("TALB", "Album")])
    try catalogue.tree.write(RareFiles.dff(seconds: 1, tag: tag), to: "a.dff")
    try await catalogue.refresh()
    let track = try #require(try await catalogue.tracks().first)
    #expect(track.title == "Title" && track.artist == "Ärtist" && track.album == "Album")
    #expect(track.composer == "Composer")
  }

  @Test func modulesHaveALengthAndATitle() async throws {
    let catalogue = try TestCatalogue()
    try catalogue.tree.write(RareFiles.module(title: "Square"), to: "a.mod")
    try await catalogue.refresh()
    let (copy, track) = (try await catalogue.copy(), try #require(try await catalogue.tracks().first))
    #expect(track.title == "Square" && copy.audio == AudioProperties(codec: "mod") && !copy.isLossless)
    #expect(abs(track.duration.rawValue - 7680) < 20, "\(track.duration.rawValue)")
  }

  @Test func anEmbeddedPictureIsFound() async throws {
    let tree = try MusicTree()
    try await FFmpeg.picture(tree.beside("cover.png"))
    try await FFmpeg.run([
      "-f", "lavfi", "-i", "sine=duration=1", "-attach", tree.beside("cover.png"), "-metadata:s:t",
      "mimetype=image/png", "-metadata:s:t", "filename=cover.png", path(tree, "a.mka"),
    ])
    let file = try tree.open("a.mka")
    let tags = try #require(try TestCatalogue.tagReaders.tags(of: [file]).first)
    #expect(try tags.get().audio.hasPicture)
    let picture = try #require(try TestCatalogue.tagReaders.picture(in: file).get()).bytes
    let size = Int(try picture.status().size)
    #expect(try picture.readBytes(upTo: size, at: 0) == Files.read(tree.beside("cover.png")))
  }

  @Test func aHouseholdWithoutSuchFilesDoesNotStartTheProgram() async throws {
    let catalogue = try TestCatalogue()
    try catalogue.tree.album("x", ["ALBUM=X", "ARTIST=A"])
    try await FFmpeg.sine(path(catalogue.tree, "a.mp3"))
    #expect(
      try await catalogue.refresh(tagReaders: TagReaders(formatsProgram: "/nowhere/lunara-formats")) == [4, 0, 0, 0])
  }

  @Test func resultsKeepTheOrderOfTheFiles() async throws {
    let tree = try MusicTree()
    try tree.flac("1.flac", ["TITLE=1"])
    try await FFmpeg.sine(path(tree, "2.mka"), ["-metadata", "title=2"])
    try tree.write(Array("no audio at all".utf8), to: "3.mp3")
    try tree.flac("4.flac", ["TITLE=4"])
    try await FFmpeg.sine(path(tree, "5.caf"))
    let files = try ["1.flac", "2.mka", "3.mp3", "4.flac", "5.caf"].map { try tree.open($0) }
    let results = try TestCatalogue.tagReaders.tags(of: files)
    #expect(results.map { $0.failure == nil ? "read" : "broken" } == ["read", "read", "broken", "read", "read"])
    #expect(try [results[0], results[1], results[3]].map { try $0.get().title.title } == ["1", "2", "4"])
  }

  @Test(arguments: ["a.caf", "a.mka", "a.aac", "a.ac3", "a.dts", "a.au", "a.w64", "a.dsf", "a.dff", "a.mod"])
  func damagedFilesNeverCrash(_ name: String) async throws {
    let tree = try MusicTree()
    switch name {
    case "a.dsf": try tree.write(RareFiles.dsf(blocks: 4, tag: ID3Tag.bytes([("TIT2", "x")])), to: name)
    case "a.dff": try tree.write(Array(RareFiles.dff(seconds: 1).prefix(50_000)), to: name)
    case "a.mod": try tree.write(RareFiles.module(title: "x"), to: name)
    default:
      try await FFmpeg.sine(
        path(tree, name), Self.metadata + (name == "a.dts" ? ["-c:a", "dca", "-strict", "-2"] : []))
    }
    let bytes = try tree.bytes(of: name)
    var state: UInt64 = 7
    func random(_ bound: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % bound
    }
    let readers = TestCatalogue.tagReaders
    for round in 0..<150 {
      var damaged = round % 5 == 0 ? Array(bytes.prefix(random(bytes.count))) : bytes
      for _ in 0...random(12) where !damaged.isEmpty {
        damaged[random(min(1200, damaged.count))] = UInt8(random(256))
      }
      try tree.write(damaged, to: "damaged-\(name)")
      let file = try tree.open("damaged-\(name)")
      // An error is a valid result; only the end of the reader is a fault.
      for failure in [try readers.tags(of: [file]).first?.failure, try readers.picture(in: file).failure] {
        if case .breaksReader(let cause) = failure { Issue.record("\(cause)") }
      }
    }
  }

  @Test(arguments: ["#EXTM3U\n/etc/passwd\n", "v=0\no=- 0 0 IN IP4 127.0.0.1\n", "ffconcat version 1.0\nfile x\n", "x"])
  func aListOfOtherFilesIsNoAudio(_ text: String) throws {
    let tree = try MusicTree()
    for name in ["a.aac", "a.mka", "a.mod"] {
      try tree.write(Array(text.utf8), to: name)
      #expect(try TestCatalogue.tagReaders.tags(of: [tree.open(name)]) == [.failure(.broken)])
    }
  }
}

extension Result where Failure == TagFailure {
  fileprivate var failure: TagFailure? {
    if case .failure(let failure) = self { failure } else { nil }
  }
}
