import Glibc
import TestSupport
import Testing

/// The music of the system tests: made by ffmpeg once a run, and removed at its end.
final class TestMusic: Sendable {
  /// One track to make.
  struct Piece {
    var title: String
    var seconds: Int
    /// The file's name, whose extension chooses the format.
    var file: String
    /// True if a complete listen counts, which needs more than 30 s.
    var counts: Bool { seconds > 30 }
  }

  /// Two albums of three tracks each, with covers and without any faults.
  static let lanterns = (
    title: "Morning Tide", artist: "The Lanterns", year: 2019,
    pieces: [
      Piece(title: "First Light", seconds: 36, file: "01 First Light.flac"),
      Piece(title: "Salt", seconds: 38, file: "02 Salt.mp3"),
      Piece(title: "Short Pier", seconds: 20, file: "03 Short Pier.flac"),
    ]
  )
  static let moon = (
    title: "月の庭", artist: "Лунный квартет", year: 2021,
    pieces: [
      Piece(title: "序", seconds: 35, file: "01 序.flac"),
      Piece(title: "Ещё вечер", seconds: 37, file: "02 Ещё вечер.opus"),
      // Exactly at the limit, where a listen does not count.
      Piece(title: "👋 До утра", seconds: 30, file: "03 👋.flac"),
    ]
  )

  private let folder = TemporaryDirectory()
  /// The folder of the two albums.
  var path: String { folder.path + "/music" }

  /// The music of this run; to be used within a suite that has the trait `.music`.
  @TaskLocal static var current: TestMusic?

  /// Makes the music.
  static func make() async throws -> TestMusic {
    let music = TestMusic()
    try Folder.make(music.path)
    for (folder, album) in [("The Lanterns - Morning Tide", lanterns), ("🌙 月の庭", moon)] {
      let place = "\(music.path)/\(folder)"
      try Folder.make(place)
      try await draw("\(place)/cover.jpg")
      for (index, piece) in album.pieces.enumerated() {
        let tags = [
          ("artist", album.artist), ("album_artist", album.artist), ("album", album.title), ("title", piece.title),
          ("track", "\(index + 1)/3"), ("disc", "1"), ("date", "\(album.year)"), ("genre", "Ambient"),
        ]
        try await record("\(place)/\(piece.file)", seconds: piece.seconds, tags: tags, pitch: 220 + 55 * index)
      }
    }
    return music
  }

  /// Writes an audio file in the format of the name's extension.
  static func record(_ path: String, seconds: Int, tags: [(String, String)], pitch: Int = 440) async throws {
    // Opus files have the tags in the stream, other files in the container.
    let place = path.hasSuffix(".opus") ? "-metadata:s:a" : "-metadata"
    try await Programs.run(
      [
        "ffmpeg", "-v", "error", "-nostdin", "-y", "-f", "lavfi", "-i",
        "sine=\(pitch):sample_rate=48000:duration=\(seconds)",
      ]
        + tags.flatMap { [place, "\($0.0)=\($0.1)"] } + ["-bitexact", path])
  }

  private static func draw(_ path: String) async throws {
    try await Programs.run([
      "ffmpeg", "-v", "error", "-nostdin", "-y", "-f", "lavfi", "-i", "gradients=size=320x320:nb_colors=3", "-frames:v",
      "1", path,
    ])
  }
}

/// Makes the music before the first test of a suite.
struct MusicTrait: SuiteTrait, TestScoping {
  func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    try await TestMusic.$current.withValue(try await TestMusic.make()) { try await function() }
  }
}

extension Trait where Self == MusicTrait {
  /// Makes the music of `TestMusic.current`.
  static var music: Self { MusicTrait() }
}
