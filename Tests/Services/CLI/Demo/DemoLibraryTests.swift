import Glibc
import Model
import Synchronization
import TestSupport
import Testing

@testable import lunara

/// The demo library on disk, in miniature.
@Suite(.timeLimit(.minutes(2)))
struct DemoLibraryTests {
  private let folder = TemporaryDirectory()
  private var library: DemoLibrary { DemoLibrary(home: folder.path) }

  @Test func itIsMadeWholeOnceAndTheSameEveryTime() throws {
    #expect(!library.isMade)
    let told = Mutex<[String]>([])
    try make(progress: { done, album in told.withLock { $0.append("\(done) \(album.title)") } })
    #expect(library.isMade)
    #expect(
      told.withLock { $0.sorted() } == ["1 Beside", "2 Inside"]
        || told.withLock { $0.sorted() } == ["1 Inside", "2 Beside"])
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
    try Folders.remove(library.folder)
    try make()
    #expect(Self.bytes("\(library.folder)/A & B/2001 - Inside/02 Zwei.flac") == first)
  }

  @Test func whatAnInterruptedRunLeftIsMadeAnew() throws {
    try Folders.make("\(library.folder).unfinished/Half/An Album")
    try Folders.write("old", to: "\(library.folder).unfinished/Half/An Album/01.flac")
    try make()
    #expect(library.isMade && !Self.files(folder.path).contains { $0.contains("unfinished") || $0.contains("Half") })
  }

  @Test func oneThatIsNotToGoOnLeavesNothingThatLooksWhole() throws {
    #expect(throws: CancellationError.self) { try make(goesOn: { false }) }
    #expect(!library.isMade && access(library.folder, F_OK) != 0)
  }

  @Test func anOutdatedOneIsReplaced() throws {
    try Folders.make("\(library.folder)/Old")
    try Folders.write("0", to: "\(library.folder)/.lunara-demo")
    try make()
    #expect(library.isMade && !Self.files(folder.path).contains { $0.contains("Old") || $0.contains("outdated") })
  }

  @Test func aFolderThatIsNotOursIsLeftAlone() throws {
    try Folders.make(library.folder)
    try Folders.write("mine", to: "\(library.folder)/my.flac")
    let error = #expect(throws: LunaraError.self) { try make() }
    #expect(error?.code == "demo.folderTaken")
    #expect(Folders.text(of: "\(library.folder)/my.flac") == "mine")
  }

  @Test func withoutFFmpegItSaysWhatToInstall() {
    let error = #expect(throws: LunaraError.self) { try FFmpeg(environment: Environment(["PATH": "/nowhere"])) }
    #expect(error?.code == "demo.noFFmpeg")
  }

  @Test func anEncoderThatFailsIsReportedWithItsWords() throws {
    let error = #expect(throws: LunaraError.self) {
      try FFmpeg(environment: Environment()).encode([0, 0, 0, 0], tags: [], cover: nil, to: "/nowhere/x.flac")
    }
    #expect(error?.code == "demo.cannotEncode" && error?.cause?.isEmpty == false)
  }

  private func make(
    goesOn: @escaping @Sendable () -> Bool = { true },
    progress: @escaping @Sendable (Int, DemoAlbum) -> Void = { _, _ in }
  ) throws {
    func album(_ artist: String, _ title: String, _ year: Int, embeds: Bool, _ tracks: [DemoTrack]) -> DemoAlbum {
      DemoAlbum(
        artist: artist, title: title, year: year, genre: "Test", composer: .folk, cover: .ripples, embedsCover: embeds,
        tracks: tracks)
    }
    try library.make(
      [
        album(
          "A & B", "Inside", 2001, embeds: true,
          [
            DemoTrack("Eins", 57, .minor, 240, bars: 2, [0], [3], playsOn: true),
            DemoTrack("Zwei", 57, .minor, 240, bars: 2, [0], [3]),
          ]),
        album("É", "Beside", 2002, embeds: false, [DemoTrack("三", 60, .major, 240, bars: 2, [0], [4])]),
      ], with: FFmpeg(environment: Environment()), coverSide: 16, goesOn: goesOn, progress: progress)
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
