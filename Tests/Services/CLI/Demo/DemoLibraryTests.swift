import System
import Glibc
import Model
import Synchronization
import TestSupport
import Testing

@testable import lunara

/// The albums of the demo library.
struct DemoAlbumTests {
  private let albums = DemoAlbum.all

  @Test func thereIsEnoughToLookAround() {
    #expect(albums.count >= 6 && Set(albums.map(\.artist)).count >= 4)
    #expect(Set(albums.map(\.genre)).count >= 4 && Set(albums.map(\.year)).count == albums.count)
    #expect(albums.allSatisfy { (4...5).contains($0.tracks.count) })
    #expect(Set(albums.map { $0.cover(side: 8) }).count == albums.count)
    #expect(albums.contains(where: \.embedsCover) && albums.contains { !$0.embedsCover })
  }

  @Test func mostTracksAreLongEnoughToCountAsHeard() {
    let seconds = albums.flatMap { album in
      album.tracks.indices.map { Double(album.samples($0)) / Double(DemoAlbum.rate) }
    }
    #expect(seconds.count { $0 > 30 } >= seconds.count - 2)
    #expect(seconds.allSatisfy { (20...75).contains($0) })
  }

  @Test func oneAlbumIsGaplessAndTheOthersFadeOutAfterEachTrack() {
    #expect(albums.contains(where: \.isGapless) && albums.contains { !$0.isGapless })
    for album in albums {
      #expect(album.sound.ranges(of: "afade=t=out").count == (album.isGapless ? 1 : album.tracks.count))
    }
  }

  @Test func titlesMakeFileNames() {
    for album in albums {
      #expect(!album.folder.dropFirst(album.artist.count + 1).contains("/") && !album.artist.contains("/"))
      #expect(album.tracks.allSatisfy { !$0.title.contains("/") })
    }
  }
}

/// The demo library on disk, with fewer and shorter tracks.
@Suite(.timeLimit(.minutes(2)))
struct DemoLibraryTests {
  private let folder = TemporaryDirectory()
  private var library: DemoLibrary { DemoLibrary(home: folder.path) }

  @Test func itIsMadeWholeOnceAndTheSameEveryTime() async throws {
    #expect(!library.isMade)
    let reported = Mutex<[String]>([])
    try await make(progress: { done, album in reported.withLock { $0.append("\(done) \(album.title)") } })
    #expect(library.isMade)
    // The two albums are made concurrently.
    #expect([["1 Inside", "2 Beside"], ["1 Beside", "2 Inside"]].contains(reported.withLock { $0 }))
    let files = Self.files(library.folder)
    #expect(
      files == [
        ".lunara-demo", "A & B/2001 - Inside/01 Eins.flac", "A & B/2001 - Inside/02 Zwei.flac",
        "É/2002 - Beside/01 三.flac", "É/2002 - Beside/cover.jpg",
      ])
    let first = Self.bytes("\(library.folder)/A & B/2001 - Inside/02 Zwei.flac")
    #expect(first.starts(with: Array("fLaC".utf8)))
    let text = String(decoding: first.prefix(3000), as: UTF8.self)
    for tag in ["ALBUMARTIST=A & B", "TITLE=Zwei", "DATE=2001", "GENRE=Test"] { #expect(text.contains(tag)) }
    try Files.removeTree(library.folder)
    try await make()
    #expect(Self.bytes("\(library.folder)/A & B/2001 - Inside/02 Zwei.flac") == first)
  }

  @Test func tracksHaveTheirLengthAndSound() async throws {
    try await make()
    // FLAC's stream information holds the number of samples in the 36 bits that end with byte 25.
    let bytes = Self.bytes("\(library.folder)/A & B/2001 - Inside/01 Eins.flac")
    let samples = bytes[21...25].reduce(0) { $0 << 8 | Int($1) } & 0xF_FFFF_FFFF
    #expect(samples == 4 * DemoAlbum.rate)
    // Silence would be compressed to almost nothing.
    #expect(bytes.count > 50_000)
  }

  @Test(arguments: DemoAlbum.all.indices) func everyCoverIsAPicture(index: Int) throws {
    let file = "\(folder.path)/cover.jpg"
    let words = ["-f", "lavfi", "-i", DemoAlbum.all[index].cover(side: 64), "-frames:v", "1", file]
    #expect(try SystemProgram("ffmpeg", environment: Environment())?.run(["-v", "error"] + words) == nil)
    #expect(Self.bytes(file).count > 1000)
  }

  @Test func whatAnInterruptedRunLeftIsMadeAgain() async throws {
    try Files.makeFolder("\(library.folder).unfinished/Half/An Album")
    try Files.replace("\(library.folder).unfinished/Half/An Album/01.flac", with: "old")
    try await make()
    #expect(library.isMade && !Self.files(folder.path).contains { $0.contains("unfinished") || $0.contains("Half") })
  }

  @Test func anInterruptedRunLeavesNothingThatLooksWhole() async throws {
    await #expect(throws: CancellationError.self) { try await make(goesOn: { false }) }
    #expect(!library.isMade && access(library.folder, F_OK) != 0)
  }

  @Test func anOutdatedOneIsReplaced() async throws {
    try Files.makeFolder("\(library.folder)/Old")
    try Files.replace("\(library.folder)/.lunara-demo", with: "0")
    try await make()
    #expect(library.isMade && !Self.files(folder.path).contains { $0.contains("Old") || $0.contains("outdated") })
  }

  @Test func aFolderThatLunaraDidNotMakeIsLeftAlone() async throws {
    try Files.makeFolder(library.folder)
    try Files.replace("\(library.folder)/my.flac", with: "mine")
    let error = await #expect(throws: LunaraError.self) { try await make() }
    #expect(error?.code == "demo.folderTaken")
    #expect(Files.text(of: "\(library.folder)/my.flac") == "mine")
  }

  @Test func withoutFFmpegItSaysWhatToInstall() async {
    let error = await #expect(throws: LunaraError.self) { try await make(path: "/nowhere") }
    #expect(error?.code == "demo.noFFmpeg")
  }

  @Test func anEncoderThatFailsIsReportedWithItsWords() async throws {
    try Files.makeFolder("\(folder.path)/bin")
    try TestProgram.install("#!/bin/sh\necho no room >&2\nexit 1", at: "\(folder.path)/bin/ffmpeg")
    let error = await #expect(throws: LunaraError.self) { try await make(path: "\(folder.path)/bin") }
    #expect(error?.code == "demo.cannotEncode" && error?.cause == "no room")
    #expect(!library.isMade && !Files.exists(library.folder))
  }

  private func make(
    path: String? = nil, goesOn: @escaping @Sendable () -> Bool = { true },
    progress: @escaping @Sendable (Int, DemoAlbum) -> Void = { _, _ in }
  ) async throws {
    // Four beats a second, so that a bar takes one second.
    func album(
      _ artist: String, _ title: String, _ year: Int, embeds: Bool, _ tracks: [(title: String, bars: Int)]
    ) -> DemoAlbum {
      DemoAlbum(
        artist: artist, title: title, year: year, genre: "Test", instruments: .guitar,
        key: (57, [0, 2, 3, 5, 7, 8, 10], 240), colours: (0x102030, 0x405060, 0x708090), isGapless: embeds,
        embedsCover: embeds, tracks: tracks)
    }
    try await library.make(
      [
        album("A & B", "Inside", 2001, embeds: true, [("Eins", 4), ("Zwei", 4)]),
        album("É", "Beside", 2002, embeds: false, [("三", 4)]),
      ], environment: Environment(path.map { ["PATH": $0] } ?? [:]), coverSide: 16, goesOn: goesOn, progress: progress)
  }

  private static func files(_ root: String, _ path: String = "") -> [String] {
    guard let folder = opendir(root + path) else { return [String(path.dropFirst())] }
    defer { closedir(folder) }
    var files: [String] = []
    while let entry = readdir(folder) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
      if name != ".", name != ".." { files += Self.files(root, "\(path)/\(name)") }
    }
    return files.sorted()
  }

  private static func bytes(_ path: String) -> [UInt8] {
    let file = Descriptor(owning: open(path, O_RDONLY))
    var bytes: [UInt8] = []
    while case .bytes(let more) = file.read() { bytes += more }
    return bytes
  }
}
