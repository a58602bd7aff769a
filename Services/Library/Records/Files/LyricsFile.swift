import Messages

/// The names of files of lyrics beside the music.
package enum LyricsFile {
  package static let endings = [".lrc", ".LRC", ".Lrc"]

  /// Returns true if a file is one of lyrics by its name.
  package static func isName(_ name: [UInt8]) -> Bool { endings.contains { name.suffix(4).elementsEqual($0.utf8) } }

  /// Returns the name of a file without its ending, which a file of lyrics beside it shares.
  package static func stem(_ name: [UInt8]) -> [UInt8] {
    name.lastIndex(of: UInt8(ascii: ".")).map { Array(name[..<$0]) } ?? name
  }
}
