import Model
import MusicTags
import Testing
import Text

@testable import Records
@testable import Sources

struct FileNameTests {
  private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

  @Test func theExtensionDecidesTheReader() {
    #expect(AudioFormat.reader(fileName: bytes("a.FLAC")) == .tags)
    #expect(AudioFormat.reader(fileName: bytes("a.b.Mp3")) == .tags)
    #expect(AudioFormat.reader(fileName: bytes("a.caf")) == .formats)
    for name in ["flac", ".flac", "a.", "a.jpg", "a.flac.part", "mp3"] {
      #expect(AudioFormat.reader(fileName: bytes(name)) == nil, "\(name)")
    }
  }

  @Test(arguments: [
    ("03 - Blue in Green", 3, "Blue in Green"), ("03. So What", 3, "So What"), ("3_x", 3, "x"),
    ("012-Long", 12, "Long"), ("1) One", 1, "One"),
  ])
  func aNumberBeforeTheTitleIsThePlace(_ stem: String, _ number: Int, _ title: String) {
    #expect(FileName.numberedTitle(stem) == (number, title))
  }

  @Test(arguments: ["1999", "99 ", "7", "1979 - Live", "00 - Intro", "2pac", "Track"])
  func namesWithoutANumberAreTitles(_ stem: String) {
    #expect(FileName.numberedTitle(stem) == (nil, stem.trimmed))
  }

  @Test(arguments: [
    ("CD1", 1, ""), ("CD 2", 2, ""), ("disc-03", 3, ""), ("Disk_4", 4, ""), ("Disc 1 - Early Years", 1, ""),
    ("cd10", 10, ""), ("(CD1)The Sessions", 1, ""), ("[Disc 2] Live", 2, ""), ("Digital Media 01", 1, ""),
    ("Album Disc 2", 2, "Album"), ("Album (Disc 2)", 2, "Album"), ("Album [CD2]", 2, "Album"),
    ("Album - CD 02", 2, "Album"), ("Élan, disk 3", 3, "Élan"),
  ])
  func foldersOfDiscsHaveANumber(_ name: String, _ number: Int, _ album: String) {
    let disc = FileName.disc(ofFolder: bytes(name))
    #expect(disc?.number == number)
    #expect(disc?.album == bytes(album))
  }

  @Test(arguments: [
    "CD", "CDs", "Discovery", "disc0", "CD1999", "Disc 1st", "cd2b", "", "Cd2u", "CD Single", "Volume 2", "Album CD",
    "Album Disc", "Album disc 100", "Album Disc 2)", "Album2", "Compactdisc 2",
  ])
  func otherFoldersAreNoDiscs(_ name: String) { #expect(FileName.disc(ofFolder: bytes(name)) == nil) }

  @Test func hiddenAndSystemNamesArePassedOver() {
    for name in [
      ".hidden", ".", "..", "._song.flac", "lost+found", "@eaDir", "#recycle", "@Recycle", "#snapshot", "~snapshot",
      "$RECYCLE.BIN", "$Recycle.Bin", "System Volume Information", "@Recently-Snapshot",
    ] {
      #expect(FileName.isPassedOver(bytes(name)), "\(name)")
    }
    for name in ["song.flac", "@home", "lost", "$", "...And Justice", "..Hits", "#1 Hits", "Snapshot"] {
      #expect(!FileName.isPassedOver(bytes(name)), "\(name)")
    }
  }

  @Test func pathsAreTakenApartAndPutTogether() {
    #expect(FilePath.parent(bytes("/a/b")) == bytes("/a"))
    #expect(FilePath.parent(bytes("/a")) == bytes("/"))
    #expect(FilePath.parent(bytes("/")) == nil)
    #expect(FilePath.join(bytes("/"), bytes("a")) == bytes("/a"))
    #expect(FilePath.isWithin(bytes("/a/b"), bytes("/a")) && FilePath.isWithin(bytes("/a"), bytes("/a")))
    #expect(!FilePath.isWithin(bytes("/ab"), bytes("/a")) && FilePath.isWithin(bytes("/ab"), bytes("/")))
  }

  @Test func coversAreRankedByNameThenFormat() {
    let best = [
      "cover.jpg", "Cover.JPEG", "COVER.png", "folder.jpg", "Front.webp", "album.jpg", "AlbumArt.jpg",
      "AlbumArt_{7F0B}_Large.jpg", "AlbumArt_x.jpg", "AlbumArtSmall.jpg",
    ].map { Cover.rank(bytes($0)) }
    #expect(!best.contains(nil))
    #expect(best.compactMap { $0 } == best.compactMap { $0 }.sorted())
    #expect(Cover.rank(bytes("back.jpg")) == nil && Cover.rank(bytes("cover.txt")) == nil)
    #expect(Cover.rank(bytes("discover.jpg")) == nil)
  }
}

struct MusicFoldersTests {
  private func normalised(_ paths: String...) -> [String] {
    MusicFolders.normalised(paths.map { LocalPath($0) }, workingDirectory: Array("/home/me".utf8))
      .map { String(decoding: $0, as: UTF8.self) }
  }

  @Test func pathsGetOneForm() {
    #expect(normalised("/music/", "//srv//more/.") == ["/music", "/srv/more"])
    #expect(normalised("Music", "./x") == ["/home/me/Music", "/home/me/x"])
    #expect(normalised("/") == ["/"])
    #expect(normalised("").isEmpty)
  }

  @Test func aFolderWithinAnotherIsNotTakenTwice() {
    #expect(normalised("/music/jazz", "/music", "/music/", "/musical") == ["/music", "/musical"])
    #expect(normalised("/", "/music") == ["/"])
  }
}
