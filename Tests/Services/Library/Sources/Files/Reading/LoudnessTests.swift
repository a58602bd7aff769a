import Glibc
import Model
import MusicTags
import TestSupport
import Testing

@testable import Sources

/// Loudness, lossiness and ids in real files of every format, made by ffmpeg.
@Suite(.timeLimit(.minutes(5)))
struct LoudnessTests {
  private static let recording = "11111111-1111-4111-8111-111111111111"
  private static let release = TestID.musicBrainz("rel")
  private static let group = TestID.musicBrainz("group")
  private static let artist = "22222222-2222-4222-8222-222222222222"

  private func tags(of name: String, in tree: MusicTree) throws -> FileTags {
    try #require(try TestCatalogue.tagReaders.tags(of: [tree.open(name)]).first).get()
  }

  private func sine(_ name: String, _ options: [String], in tree: MusicTree) async throws {
    try await FFmpeg.sine(String(decoding: tree.path(name), as: UTF8.self), options)
  }

  private static func metadata(_ values: [(String, String)]) -> [String] {
    values.flatMap { ["-metadata", "\($0.0)=\($0.1)"] }
  }

  @Test(arguments: [
    ("a.flac", []), ("a.mp3", []), ("a.ogg", ["-c:a", "libvorbis"]), ("a.wv", []), ("a.aiff", ["-write_id3v2", "1"]),
  ])
  func gainsAndPeaksAreRead(_ name: String, _ options: [String]) async throws {
    let tree = try MusicTree()
    for capitals in [true, false] {
      let values = [
        ("REPLAYGAIN_TRACK_GAIN", "-6.50 dB"), ("REPLAYGAIN_TRACK_PEAK", "0.9"), ("REPLAYGAIN_ALBUM_GAIN", "-7.25 dB"),
        ("REPLAYGAIN_ALBUM_PEAK", "0.95"),
      ].map { (capitals ? $0.0 : $0.0.lowercased(), $0.1) }
      try await sine(name, options + Self.metadata(values), in: tree)
      let read = try tags(of: name, in: tree).audio.levels
      #expect(read == Levels(trackGain: -6.5, trackPeak: 0.9, albumGain: -7.25, albumPeak: 0.95), "\(name)")
    }
  }

  @Test func opusGainsAreReadWithTheirOwnReference() async throws {
    let tree = try MusicTree()
    let values = [("R128_TRACK_GAIN", "-512"), ("R128_ALBUM_GAIN", "256")]
    try await sine("a.opus", ["-c:a", "libopus"] + Self.metadata(values), in: tree)
    #expect(try tags(of: "a.opus", in: tree).audio.levels == Levels(trackGain: 3, albumGain: 6))
  }

  @Test func freeFormItemsOfMP4AreRead() async throws {
    let tree = try MusicTree()
    for (name, codec) in [("a.m4a", "aac"), ("alac.m4a", "alac")] {
      try await sine(name, ["-c:a", codec, "-metadata", "title=x"], in: tree)
      let items = [
        ("replaygain_track_gain", "-6.50 dB"), ("replaygain_track_peak", "0.9"), ("REPLAYGAIN_ALBUM_GAIN", "-7 dB"),
        ("MusicBrainz Track Id", Self.recording), ("MusicBrainz Artist Id", Self.artist), ("iTunNORM", " 00000BAD"),
      ]
      let file = try #require(MP4Tag.adding(items, to: try tree.bytes(of: name)))
      try tree.write(file, to: name)
      let read = try tags(of: name, in: tree)
      #expect(read.audio.levels == Levels(trackGain: -6.5, trackPeak: 0.9, albumGain: -7), "\(name)")
      #expect(
        read.ids.recordingID == Self.recording && read.artists.ids == [Self.artist] && read.title.title == "x",
        "\(name)")
    }
  }

  @Test func whatOlderProgramsLeftInMP3FilesIsRead() async throws {
    let tree = try MusicTree()
    try await sine("a.mp3", ["-map_metadata", "-1", "-id3v2_version", "0", "-write_id3v1", "0"], in: tree)
    let sound = try tree.bytes(of: "a.mp3")
    let ape = APETag.bytes(text: [("REPLAYGAIN_TRACK_GAIN", "-4.0 dB"), ("replaygain_track_peak", "0.5")])
    try tree.write(ID3Tag.bytes([("TIT2", "x")]) + sound + ape, to: "ape.mp3")
    #expect(try tags(of: "ape.mp3", in: tree).audio.levels == Levels(trackGain: -4, trackPeak: 0.5))
    #expect(try tags(of: "ape.mp3", in: tree).title.title == "x")
    let frames = ID3Tag.bytes([("TIT2", "x")], loudness: [("track", -4.5), ("album", 2)])
    try tree.write(frames + sound, to: "rva2.mp3")
    #expect(try tags(of: "rva2.mp3", in: tree).audio.levels == Levels(trackGain: -4.5, albumGain: 2))
    let text = ID3Tag.bytes([("TXXX", "replaygain_track_gain\u{0}-1 dB")], loudness: [("track", -4.5)])
    try tree.write(text + sound, to: "both.mp3")
    #expect(try tags(of: "both.mp3", in: tree).audio.levels == Levels(trackGain: -1))
    // A peak of sixteen bits, of which 32768 is full scale.
    let peaks = ID3Tag.bytes(
      [("TIT2", "x")], loudness: [("track", -4.5), ("album", 2)], peaks: ["track": 16384, "album": 0])
    try tree.write(peaks + sound, to: "peaks.mp3")
    #expect(
      try tags(of: "peaks.mp3", in: tree).audio.levels == Levels(trackGain: -4.5, trackPeak: 0.5, albumGain: 2))
  }

  @Test func soundCheckCountsWhereThereIsNothingElse() async throws {
    let tree = try MusicTree()
    try await sine("a.mp3", ["-map_metadata", "-1", "-id3v2_version", "0", "-write_id3v1", "0"], in: tree)
    let sound = try tree.bytes(of: "a.mp3")
    // 0x2710 is 10000, ten times the power of 0 dB, and 0x4000 half of full scale.
    let values = " 000003E8 00002710 00000000 00000000 00000000 00000000 00004000 00002000 00000000 00000000"
    let norm = [("COMM", [UInt8(0)] + Array("engiTunNORM".utf8) + [0] + Array(values.utf8))]
    try tree.write(ID3Tag.bytes([("TIT2", "x")], binary: norm) + sound, to: "norm.mp3")
    #expect(try tags(of: "norm.mp3", in: tree).audio.levels == Levels(trackGain: -10, trackPeak: 0.5))
    #expect(try tags(of: "norm.mp3", in: tree).words.comment == nil)
    let both = ID3Tag.bytes([("TXXX", "replaygain_track_gain\u{0}-1 dB")], binary: norm)
    try tree.write(both + sound, to: "both.mp3")
    #expect(try tags(of: "both.mp3", in: tree).audio.levels == Levels(trackGain: -1))
    try tree.write(
      ID3Tag.bytes([], binary: [("COMM", [UInt8(0)] + Array("engiTunNORM".utf8) + [0] + Array("loud".utf8))]) + sound,
      to: "loud.mp3")
    #expect(try tags(of: "loud.mp3", in: tree).audio.levels == nil)
  }

  @Test func whoIsInvolvedPerformsUnlessTheRoleSaysOtherwise() async throws {
    let tree = try MusicTree()
    try await sine("a.mp3", ["-map_metadata", "-1", "-id3v2_version", "0", "-write_id3v1", "0"], in: tree)
    let people = ["producer", "Pro", "Piano", "Ann", "mastering engineer", "Max", "DJ-mix", "Dora"]
    let tag = ID3Tag.bytes([("TIT2", "x"), ("TIPL", people.joined(separator: "\0")), ("TMCL", "viola\0Vi")])
    try tree.write(tag + (try tree.bytes(of: "a.mp3")), to: "b.mp3")
    let found = try tags(of: "b.mp3", in: tree).people.map { "\($0.role) \($0.name) \($0.instrument ?? "-")" }
    #expect(found.sorted() == ["djMixer Dora -", "performer Ann piano", "performer Vi viola", "producer Pro -"])
  }

  @Test(arguments: [
    ("a.flac", [], true), ("a.mp3", [], false), ("a.ogg", ["-c:a", "libvorbis"], false),
    ("flac.ogg", ["-c:a", "flac"], true), ("a.opus", ["-c:a", "libopus"], false), ("a.m4a", ["-c:a", "aac"], false),
    ("alac.m4a", ["-c:a", "alac"], true), ("a.wv", [], true), ("a.wav", [], true),
    ("float.wav", ["-c:a", "pcm_f32le"], true),
    ("a.aiff", [], true), ("law.wav", ["-c:a", "pcm_mulaw"], false), ("a.tta", [], true), ("a.wma", [], false),
  ])
  func theCodecSaysWhetherAnythingWasLost(_ name: String, _ options: [String], _ isLossless: Bool) async throws {
    let tree = try MusicTree()
    try await sine(name, options, in: tree)
    #expect(try tags(of: name, in: tree).audio.isLossless == isLossless)
  }

  @Test(arguments: [("a.flac", []), ("a.ogg", ["-c:a", "libvorbis"]), ("a.opus", ["-c:a", "libopus"]), ("a.wv", [])])
  func identifiersAndSortNamesAreRead(_ name: String, _ options: [String]) async throws {
    let tree = try MusicTree()
    let values = [
      ("MUSICBRAINZ_TRACKID", Self.recording), ("MUSICBRAINZ_ALBUMID", Self.release),
      ("MUSICBRAINZ_RELEASEGROUPID", Self.group),
      ("MUSICBRAINZ_ARTISTID", "\(Self.artist)/other"), ("MUSICBRAINZ_ALBUMARTISTID", "band"),
      ("ARTISTSORT", "Sort, A"),
      ("ALBUMARTISTSORT", "Sort, B"), ("TITLESORT", "T"), ("ALBUMSORT", "Al"), ("COMPILATION", "1"),
    ]
    try await sine(name, options + Self.metadata(values), in: tree)
    let read = try tags(of: name, in: tree)
    #expect(
      read.ids.recordingID == Self.recording && read.albumName.releaseID == Self.release
        && read.albumName.releaseGroupID == Self.group)
    #expect(read.artists.ids == [Self.artist, "other"] && read.albumArtists.ids == ["band"])
    #expect(read.artists.sort == ["Sort, A"] && read.albumArtists.sort == ["Sort, B"])
    #expect(read.title.sort == "T" && read.albumName.sort == "Al" && read.albumName.isCompilation)
    #expect(FileTags(packed: read.packed) == read)
  }

  @Test func identifiersOfMP3AreRead() async throws {
    let tree = try MusicTree()
    try await sine("a.mp3", ["-map_metadata", "-1", "-id3v2_version", "0"], in: tree)
    let tag = ID3Tag.bytes([
      ("TXXX", "MusicBrainz Album Id\u{0}\(Self.release)"), ("TXXX", "MusicBrainz Release Group Id\u{0}\(Self.group)"),
      ("TXXX", "MusicBrainz Artist Id\u{0}one\u{0}two"), ("TXXX", "MusicBrainz Album Artist Id\u{0}band"),
      ("TSOP", "Sort, A"), ("TSO2", "Sort, B"), ("TSOT", "T"), ("TSOA", "Al"), ("TCMP", "1"),
    ])
    try tree.write(tag + (try tree.bytes(of: "a.mp3")), to: "b.mp3")
    let read = try tags(of: "b.mp3", in: tree)
    #expect(
      read.albumName.releaseID == Self.release && read.albumName.releaseGroupID == Self.group
        && read.artists.ids.first == "one")
    #expect(
      read.albumArtists.ids == ["band"] && read.artists.sort == ["Sort, A"] && read.albumArtists.sort == ["Sort, B"])
    #expect(read.title.sort == "T" && read.albumName.sort == "Al" && read.albumName.isCompilation)
  }
}
