import Glibc
import Messages
import Model
import MusicTags
import Storage
import System
import TestSupport
import Testing

@testable import Catalogue
@testable import Records
@testable import Sources

/// Real files of every format, made by ffmpeg.
@Suite(.timeLimit(.minutes(5)))
struct FormatsTests {
  private static let metadata = [
    "title=Tïtel", "artist=Ärtist", "album=Älbum", "album_artist=Band", "track=3/12", "disc=2/2", "date=1999-05-01",
    "genre=Jazz",
  ].flatMap { ["-metadata", $0] }

  private func path(_ tree: MusicTree, _ name: String) -> String {
    String(decoding: tree.path(name), as: UTF8.self)
  }

  @Test(arguments: [
    ("a.flac", []), ("a.mp3", []), ("a.ogg", ["-c:a", "libvorbis"]), ("a.opus", ["-c:a", "libopus"]),
    ("a.m4a", ["-c:a", "aac"]), ("alac.m4a", ["-c:a", "alac"]), ("a.wv", []), ("a.aiff", ["-write_id3v2", "1"]),
  ])
  func tagsAndLengthAreRead(_ name: String, _ options: [String]) async throws {
    let catalogue = try TestCatalogue()
    try await FFmpeg.sine(path(catalogue.tree, name), options + Self.metadata)
    try await catalogue.refresh()
    let track = try #require(try await catalogue.tracks().first)
    #expect(track.title == "Tïtel" && track.artist == "Ärtist" && track.album == "Älbum")
    #expect(track.albumArtist == "Band" && track.number == 3 && track.disc == 2 && track.year == 1999)
    #expect(track.genres == ["Jazz"])
    #expect(abs(track.duration.rawValue - 2000) < 80, "\(track.duration.rawValue)")
  }

  /// Files whose headers have no length, or only that of a first part, as programs write them into pipes.
  @Test(arguments: [
    ("a.m4a", ["-c:a", "aac", "-movflags", "frag_keyframe+empty_moov+default_base_moof", "-frag_duration", "500000"]),
    ("b.m4a", ["-c:a", "aac", "-movflags", "frag_keyframe", "-frag_duration", "500000"]),
    ("a.flac", ["-c:a", "flac"]), ("a.wav", ["-c:a", "pcm_s16le"]), ("a.ogg", ["-c:a", "libvorbis"]),
    ("a.mp3", ["-c:a", "libmp3lame", "-b:a", "64k", "-write_xing", "0"]), ("a.aac", ["-c:a", "aac"]),
    ("a.webm", ["-c:a", "libopus", "-live", "1"]),
  ])
  func aLengthThatNoHeaderHasIsMeasured(_ name: String, _ options: [String]) async throws {
    let catalogue = try TestCatalogue()
    let file = path(catalogue.tree, name)
    let kinds = ["m4a": "mp4", "aac": "adts"]
    let ending = String(name.drop { $0 != "." }.dropFirst())
    // ffmpeg writes as into a pipe, so it cannot go back to the header.
    try await FFmpeg.sine(
      "file:\(file)", options + ["-metadata", "title=x", "-f", kinds[ending] ?? ending, "-seekable", "0"])
    try await catalogue.refresh()
    let track = try #require(try await catalogue.tracks().first)
    #expect(abs(track.duration.rawValue - 2000) < 100, "\(track.duration.rawValue)")
  }

  /// AIFF whose writer did not know the length, so that it wrote a long one, and one that no player opens.
  @Test func theLengthOfAIFFFromAPipeIsMeasured() async throws {
    let catalogue = try TestCatalogue()
    try await FFmpeg.sine(path(catalogue.tree, "a.aiff"), ["-metadata", "title=x"])
    let whole = try catalogue.tree.bytes(of: "a.aiff")
    func put(form: UInt32, frames: UInt32, sound: UInt32) throws -> [UInt8] {
      var bytes = whole
      func set(_ name: String, _ distance: Int, _ value: UInt32) throws {
        let place = try #require(bytes.firstRange(of: Array(name.utf8))).lowerBound + distance
        for index in 0..<4 { bytes[place + index] = UInt8(truncatingIfNeeded: value >> (24 - 8 * index)) }
      }
      try set("FORM", 4, form)
      try set("COMM", 10, frames)
      try set("SSND", 4, sound)
      return bytes
    }
    // As SoX writes it, and as others do.
    try catalogue.tree.write(try put(form: 0x7F00_0036, frames: 0x3F80_0000, sound: 0x7F00_0008), to: "a.aiff")
    try catalogue.tree.write(try put(form: .max, frames: 0, sound: .max), to: "b.aiff")
    try await catalogue.refresh()
    #expect(try await catalogue.problems().filter { $0 != "library.fileUntagged" } == [])
    let copies = try await catalogue.database.read { transaction in
      try transaction.values("SELECT duration FROM tracks ORDER BY id") as [Int64]
    }
    #expect(copies == [2000, 2000])
    // ffmpeg leaves the size of the whole at 0, and libavformat, which plays music here, opens no such file.
    try catalogue.tree.write(try put(form: 0, frames: 0, sound: 0), to: "c.aiff")
    try await catalogue.refresh()
    #expect(try await catalogue.problems().filter { $0 != "library.fileUntagged" } == ["library.fileBroken"])
  }

  @Test(arguments: [
    ("a.flac", [], "FLAC 16/44.1"), ("b.flac", ["-ar", "96000", "-sample_fmt", "s32"], "FLAC 24/96"),
    ("flac.oga", ["-c:a", "flac"], "FLAC 16/44.1"), ("a.wav", ["-c:a", "pcm_s24le", "-ar", "48000"], "PCM 24/48"),
    ("float.wav", ["-c:a", "pcm_f32le"], "PCM 32/44.1"), ("law.wav", ["-c:a", "pcm_alaw"], "ALAW 353"),
    ("a.aiff", ["-ar", "88200"], "PCM 16/88.2"), ("alac.m4a", ["-c:a", "alac"], "ALAC 16/44.1"),
    ("a.wv", ["-c:a", "wavpack"], "WavPack 16/44.1"), ("a.tta", [], "TTA 16/44.1"),
    ("a.mp2", ["-b:a", "192k"], "MP2 192"),
  ])
  func everyFormatHasItsCodecRateAndDepth(_ name: String, _ options: [String], _ summary: String) async throws {
    let catalogue = try TestCatalogue()
    try await FFmpeg.sine(path(catalogue.tree, name), ["-ac", "1"] + options)
    try await catalogue.refresh()
    let copy = try await catalogue.copy()
    #expect(copy.audio?.summary == summary && copy.audio?.channels == 1)
    #expect(copy.path?.bytes == catalogue.tree.path(name))
    #expect(copy.isLossless == (copy.audio?.bitDepth != nil))
  }

  @Test func aConstantBitRateIsShownAsItIs() async throws {
    let catalogue = try TestCatalogue()
    try await FFmpeg.run([
      "-f", "lavfi", "-i", "sine=frequency=440:duration=60", "-b:a", "320k", path(catalogue.tree, "a.mp3"),
    ])
    try await catalogue.refresh()
    #expect(try await catalogue.copy().audio?.summary == "MP3 320")
  }

  @Test func theLengthOfMP3WithoutAHeaderIsCounted() async throws {
    let catalogue = try TestCatalogue()
    // Noise after silence: the bit rate of the first frame says nothing about the rest.
    try await FFmpeg.run([
      "-f", "lavfi", "-i", "aevalsrc=if(gt(t\\,0.2)\\,random(0)\\,0):s=44100:d=30", "-c:a", "libmp3lame", "-q:a", "0",
      "-write_xing", "0", "-id3v2_version", "0", path(catalogue.tree, "a.mp3"),
    ])
    try await catalogue.refresh()
    let duration = try #require(try await catalogue.tracks().first).duration
    #expect(abs(duration.rawValue - 30_000) < 100, "\(duration.rawValue)")
    let size = try catalogue.tree.bytes(of: "a.mp3").count
    #expect(abs(try #require(try await catalogue.copy().audio?.bitRate) - size * 8 / 30_000) < 3)
  }

  @Test(arguments: [
    ("a.ogg", ["-c:a", "libvorbis"], "vorbis"), ("a.opus", ["-c:a", "libopus"], "opus"), ("a.m4a", [], "aac"),
    ("a.wma", [], "wma"), ("speex.ogg", ["-c:a", "libspeex", "-ar", "32000"], "speex"),
  ])
  func lossyFormatsHaveABitRateAndNoDepth(_ name: String, _ options: [String], _ codec: String) async throws {
    let catalogue = try TestCatalogue()
    try await FFmpeg.sine(path(catalogue.tree, name), ["-ac", "2"] + options)
    try await catalogue.refresh()
    let audio = try #require(try await catalogue.copy().audio)
    #expect(audio.codec == codec && audio.channels == 2 && audio.bitDepth == nil)
    // Opus is always decoded at 48 kHz.
    #expect(audio.sampleRate == ["opus": 48_000, "speex": 32_000][codec] ?? 44_100)
    #expect((8...400).contains(try #require(audio.bitRate)))
  }

  @Test func waveFilesHaveWhatTheirFormatKnows() async throws {
    let catalogue = try TestCatalogue()
    try await FFmpeg.sine(path(catalogue.tree, "a.wav"), Self.metadata)
    try await catalogue.refresh()
    let track = try #require(try await catalogue.tracks().first)
    #expect(track.title == "Tïtel" && track.artist == "Ärtist" && track.album == "Älbum")
    #expect(track.duration == Milliseconds(2000))
  }

  @Test func aFileWithoutTagsGoesByItsName() async throws {
    let catalogue = try TestCatalogue()
    try await FFmpeg.sine(path(catalogue.tree, "05 Raw.aac"), ["-c:a", "aac"] + Self.metadata)
    try await catalogue.refresh()
    #expect(try await catalogue.tracks().map(\.title) == ["Raw"])
    #expect(try await catalogue.problems() == ["library.fileUntagged"])
  }

  @Test func aWrongEndingDoesNotHideTheFormat() async throws {
    let catalogue = try TestCatalogue()
    try await FFmpeg.sine(path(catalogue.tree, "a.opus"), ["-c:a", "libopus"] + Self.metadata)
    try catalogue.tree.move("a.opus", to: "a.ogg")
    try await FFmpeg.sine(path(catalogue.tree, "b.mp3"), Self.metadata)
    try catalogue.tree.move("b.mp3", to: "b.flac")
    try await catalogue.refresh()
    // Both are copies of one track.
    let track = try #require(try await catalogue.tracks().first)
    let copies = try await catalogue.database.read { try Catalogue.copies(of: track.id, $0) }
    #expect(track.title == "Tïtel" && copies.map(\.audio.codec) == ["opus", "mp3"])
  }

  @Test(arguments: ["a.flac", "a.mp3", "a.ogg", "a.opus", "a.m4a", "a.wv", "a.aiff", "a.wav", "a.wma", "a.tta"])
  func truncatedFilesNeitherCrashNorStopTheRest(_ name: String) async throws {
    let catalogue = try TestCatalogue()
    try catalogue.tree.album("whole", ["ALBUM=Whole", "ARTIST=A"])
    try await FFmpeg.sine(path(catalogue.tree, name), Self.metadata)
    let bytes = try catalogue.tree.bytes(of: name)
    for part in [0, 1, 3, 4, 8, 30, 50, 100, 200, 500, 1000, bytes.count / 2, bytes.count - 1] {
      try catalogue.tree.write(Array(bytes.prefix(part)), to: "cut/\(part)-\(name)")
    }
    try await catalogue.refresh()
    #expect(try await catalogue.album("Whole").trackCount == 3)
    let status = try await catalogue.status()
    #expect(status.problems.contains { $0.code == "library.fileBroken" && $0.message.contains("/0-\(name)") })
    let tracks = try await catalogue.database.read { try $0.value("SELECT count(*) FROM tracks") ?? 0 }
    let all = tracks + status.problemCount
    #expect(all >= 3 + 13 + 1)
  }

  @Test(arguments: ["a.flac", "a.mp3", "a.ogg", "a.opus", "a.m4a", "a.wv", "a.aiff", "a.wav", "a.wma", "a.tta"])
  func damagedFilesNeverCrash(_ name: String) async throws {
    let tree = try MusicTree()
    try await FFmpeg.sine(path(tree, name), Self.metadata)
    let bytes = try tree.bytes(of: name)
    var state: UInt64 = 7
    func random(_ bound: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % bound
    }
    let readers = TestCatalogue.tagReaders
    for _ in 0..<300 {
      var damaged = bytes
      // Damages mostly the first and the last kilobytes, where the lengths of parts stand.
      for _ in 0...random(12) {
        let place =
          random(4) == 0 ? damaged.count - 1 - random(min(600, damaged.count)) : random(min(1200, damaged.count))
        damaged[place] = UInt8(random(256))
      }
      try tree.write(damaged, to: "damaged-\(name)")
      let file = try tree.open("damaged-\(name)")
      // An error is a valid result; only the end of the tag reader is a fault.
      func expectNoCrash<Value>(_ result: Result<Value, TagFailure>?, _ part: String) {
        if case .failure(.breaksReader(let cause)) = result { Issue.record("\(part): \(cause)") }
      }
      let tags = try readers.tags(of: [file]).first
      expectNoCrash(tags, "tags")
      if case .success(let tags) = tags { #expect(tags.audio.duration.rawValue >= 0) }
      let picture = try readers.picture(in: file)
      expectNoCrash(picture, "picture")
      if case .success(let picture?) = picture { #expect(try picture.bytes.status().size <= Int64(damaged.count)) }
    }
  }

  private func tags(of name: String, in tree: MusicTree) throws -> FileTags {
    try #require(try TestCatalogue.tagReaders.tags(of: [tree.open(name)]).first).get()
  }

  @Test(arguments: [
    ("a.flac", []), ("a.ogg", ["-c:a", "libvorbis"]), ("a.opus", ["-c:a", "libopus"]), ("a.wv", []), ("a.mp3", []),
    ("a.aiff", ["-write_id3v2", "1"]), ("a.wma", []), ("a.m4a", []),
  ])
  func rolesComeFromEveryTagFormat(_ name: String, _ options: [String]) async throws {
    let tree = try MusicTree()
    // The Windows Media format has names of its own.
    let names = name == "a.wma" ? ["WM/Composer", "WM/Conductor"] : ["composer", "conductor"]
    let metadata = zip(names, ["Bach", "Karajan"]).flatMap { ["-metadata", "\($0)=\($1)"] }
    try await FFmpeg.sine(path(tree, name), options + (name == "a.mp3" ? ["-map_metadata", "-1"] : []) + metadata)
    if name == "a.m4a" {
      // ffmpeg does not write all items.
      let items = [("CONDUCTOR", "Karajan"), ("PERFORMER", "Gould (piano)"), ("LABEL", "DG")]
      try tree.write(try #require(MP4Tag.adding(items, to: try tree.bytes(of: name))), to: name)
      let read = try tags(of: name, in: tree)
      #expect(read.people.contains(CreditTag(role: .performer, name: "Gould", instrument: "piano")))
      #expect(read.albumName.labels == ["DG"])
    }
    if name == "a.mp3" {
      let tag = ID3Tag.bytes([("TCOM", "Bach"), ("TPE3", "Karajan")])
      try tree.write(tag + (try tree.bytes(of: name)), to: name)
    }
    let people = Set(try tags(of: name, in: tree).people)
    #expect(
      people.isSuperset(of: [CreditTag(role: .composer, name: "Bach"), CreditTag(role: .conductor, name: "Karajan")]))
  }

  @Test func discSubtitleProducersAndPopularityAreReadFromFrames() async throws {
    let tree = try MusicTree()
    try await FFmpeg.sine(
      path(tree, "plain.mp3"), ["-map_metadata", "-1", "-id3v2_version", "0", "-write_id3v1", "0"])
    let sound = try tree.bytes(of: "plain.mp3")
    let popularity = Array("Windows Media Player 9 Series\0".utf8) + [196, 0, 0, 0, 7]
    let tag = ID3Tag.bytes(
      [
        ("TIT2", "x"), ("TSST", "Live"), ("TIPL", "producer\0Martin\0mix\0Emerick"), ("TMCL", "piano\0Gould"),
        ("TIT1", "Favourites"), ("TXXX", "WORK\0Partita"), ("MVNM", "Gigue"), ("MVIN", "7/8"),
      ], binary: [("POPM", popularity), ("PCNT", [0, 0, 0, 9]), ("SYLT", Array("\u{3}eng\u{2}\u{1}\0".utf8))])
    try tree.write(tag + sound, to: "a.mp3")
    let read = try tags(of: "a.mp3", in: tree)
    #expect(read.place.discTitle == "Live")
    #expect(
      Set(read.people) == [
        CreditTag(role: .producer, name: "Martin"), CreditTag(role: .mixer, name: "Emerick"),
        CreditTag(role: .performer, name: "Gould", instrument: "piano"),
      ])
    #expect(read.title.work == "Partita" && read.words.groupings == ["Favourites"])
    #expect(read.title.movement == "Gigue" && read.title.movementNumber == 7 && read.title.movementTotal == 8)
    #expect(read.owner.ratings == ["RATING:POPM:WINDOWS MEDIA PLAYER 9 SERIES=196"] && read.owner.playCount == 9)
    #expect(read.audio.hasTimedLyrics)
    // A content group without a work of its own is the work, as Apple has it.
    try tree.write(ID3Tag.bytes([("TIT2", "x"), ("TIT1", "Suite")]) + sound, to: "apple.mp3")
    #expect(try tags(of: "apple.mp3", in: tree).title.work == "Suite")
  }

  @Test func aTagOfAnotherKindAddsWhatTheFirstLacks() async throws {
    let tree = try MusicTree()
    try await FFmpeg.sine(
      path(tree, "plain.mp3"), ["-map_metadata", "-1", "-id3v2_version", "0", "-write_id3v1", "0"])
    let ape = APETag.bytes(text: [("Artist", "Other"), ("Composer", "Bach"), ("Title", "y")])
    try tree.write(ID3Tag.bytes([("TIT2", "x"), ("TPE1", "A")]) + (try tree.bytes(of: "plain.mp3")) + ape, to: "a.mp3")
    let read = try tags(of: "a.mp3", in: tree)
    #expect(read.title.title == "x" && read.artists.shown == ["A"] && read.people.map(\.name) == ["Bach"])
  }

  @Test func lyricsAndOldEncodingsAreNoted() async throws {
    let tree = try MusicTree()
    try tree.flac("plain.flac", ["TITLE=x", "LYRICS=la la"])
    try tree.flac("timed.flac", ["TITLE=x", "LYRICS=[00:12.00] la\n[00:13.00] la"])
    let (plain, timed) = (try tags(of: "plain.flac", in: tree).audio, try tags(of: "timed.flac", in: tree).audio)
    #expect(plain.hasLyrics && !plain.hasTimedLyrics && timed.hasLyrics && timed.hasTimedLyrics)
    try await FFmpeg.sine(
      path(tree, "plain.mp3"), ["-map_metadata", "-1", "-id3v2_version", "0", "-write_id3v1", "0"])
    let sound = try tree.bytes(of: "plain.mp3")
    let cyrillic = ID3Tag.bytes([], binary: [("TIT2", [0, 0xCF, 0xF0, 0xE8, 0xE2, 0xE5, 0xF2])])
    try tree.write(cyrillic + sound, to: "legacy.mp3")
    try tree.write(ID3Tag.bytes([("TIT2", "Привет")]) + sound, to: "unicode.mp3")
    let legacy = try tags(of: "legacy.mp3", in: tree)
    #expect(legacy.audio.hasLegacyText && legacy.title.title == "Ïðèâåò")
    #expect(try !tags(of: "unicode.mp3", in: tree).audio.hasLegacyText)
  }

  @Test func theDigestOfFLACSurvivesRetagging() async throws {
    let tree = try MusicTree()
    try await FFmpeg.sine(path(tree, "a.flac"), ["-metadata", "title=One"])
    try await FFmpeg.run(["-i", path(tree, "a.flac"), "-metadata", "title=Another", "-c", "copy", path(tree, "b.flac")])
    try await FFmpeg.sine(path(tree, "c.flac"), ["-af", "volume=0.5"])
    let digests = try ["a.flac", "b.flac", "c.flac"].map { try tags(of: $0, in: tree).audio.digest }
    #expect(digests[0] != 0 && digests[0] == digests[1] && digests[0] != digests[2])
  }

  @Test func severalValuesComeFromEveryTagFormat() async throws {
    let catalogue = try TestCatalogue()
    try catalogue.tree.flac("flac/1.flac", ["TITLE=x", "ALBUM=flac", "ARTIST=A", "ARTIST=B", "GENRE=G", "GENRE=H"])
    try await FFmpeg.sine(path(catalogue.tree, "plain.mp3"))
    let sound = try catalogue.tree.bytes(of: "plain.mp3")
    try catalogue.tree.remove("plain.mp3")
    let tag = ID3Tag.bytes([
      ("TIT2", "x"), ("TALB", "mp3"), ("TPE1", "A\u{0}B"), ("TCON", "G\u{0}H"), ("TRCK", "4/9"), ("TDRC", "2001-02"),
    ])
    try catalogue.tree.write(tag + sound, to: "mp3/1.mp3")
    try await catalogue.refresh()
    for name in ["flac", "mp3"] {
      let track = try #require(try await catalogue.tracks(of: catalogue.album(name)).first)
      #expect(track.artist == "A, B" && track.genres == ["G", "H"], "\(name)")
      #expect(track.albumArtist == "A", "\(name)")
    }
  }
}
