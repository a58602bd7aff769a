import Glibc
import TestSupport

/// A folder of music with many broken files, and some files that are correct but have odd names.
final class OddMusic: Sendable {
  private let folder = TemporaryDirectory()
  var path: String { folder.path + "/music" }

  deinit {
    // Without this only root could remove the folder.
    chmod(path + "/Loose/Locked Folder", 0o700)
  }

  /// The titles of the album Odd Names, whose files are correct.
  static let titles = ["Plain", "Café", "Line by Line", "Quoted"]
  /// The names of files that are broken or unreadable, each of which must be reported.
  static let broken = ["broken.flac", "empty.flac", "locked.flac", "Locked Folder"]
  /// The name of a file without tags.
  static let untagged = "07 Quiet Room.flac"

  static func make() async throws -> OddMusic {
    let music = OddMusic()
    let place = music.path + "/Odd Names"
    try Folder.make(place)
    let quoted = #""it's" $(touch x) `y` %41 #?&.flac"#
    for (index, name) in ["plain.flac", "latin.flac", "line.flac", quoted].enumerated() {
      let tags = [
        ("artist", "Scribe"), ("album", "Odd Names"), ("title", titles[index]), ("track", "\(index + 1)"),
      ]
      try await TestMusic.record("\(place)/\(name)", seconds: 33, tags: tags)
    }
    // A name in Latin-1, as on old disks, and one with a line break; both are legal.
    try Folder.rename("\(place)/latin.flac", toBytes: Array("caf".utf8) + [0xE9] + Array(".flac".utf8), in: place)
    try Folder.rename("\(place)/line.flac", toBytes: Array("line\nby line.flac".utf8), in: place)

    let loose = music.path + "/Loose"
    try Folder.make(loose)
    try await TestMusic.record("\(loose)/\(untagged)", seconds: 5, tags: [])
    try Folder.write(Array("This is no music at all, though its name says so.".utf8), to: "\(loose)/broken.flac")
    try Folder.write([], to: "\(loose)/empty.flac")
    try Folder.write(Array("Not meant to be music.".utf8), to: "\(loose)/notes.txt")
    try Folder.copy("\(place)/plain.flac", to: "\(loose)/locked.flac")
    chmod("\(loose)/locked.flac", 0)
    try Folder.make("\(loose)/Locked Folder")
    chmod("\(loose)/Locked Folder", 0)
    // A broken link, a folder that contains itself, and a pipe, on which a reader would wait for ever.
    try Folder.link("\(loose)/gone.flac", to: "/nowhere/gone.flac")
    try Folder.link("\(loose)/again", to: music.path)
    mkfifo("\(loose)/pipe.flac", 0o600)
    return music
  }

  /// The command prefix that takes from root the right to read everything, so that a locked file is locked.
  static var withoutPrivilege: [String] {
    get throws {
      guard geteuid() == 0 else { return [] }
      return [try Programs.tool("setpriv"), "--bounding-set", "-dac_override,-dac_read_search"]
    }
  }
}
