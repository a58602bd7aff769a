import Glibc
import Model
import System

/// The small library of generated music that `lunara up --demo` plays. ffmpeg computes its sound and its pictures. It
/// is made once; an unfinished one is never in its folder.
struct DemoLibrary {
  let folder: String

  /// The version of the library, raised when the music or the pictures change: then libraries of older versions are
  /// made again.
  static let version = "3"

  init(home: String) { folder = "\(home)/demo" }

  var isMade: Bool { Files.text(of: "\(folder)/.lunara-demo") == Self.version }

  /// Makes the library, and calls `progress` after each album. Removes what an interrupted run left. Never changes a
  /// folder of this name that Lunara did not make. `goesOn` is called before each album.
  ///
  /// - Throws: `demo.noFFmpeg`, `demo.folderTaken`, `demo.cannotEncode`, `demo.cannotWrite`, `cli.cannotStart`;
  ///   `CancellationError` if `goesOn` returns false.
  func make(
    _ albums: [DemoAlbum] = DemoAlbum.all, environment: Environment, coverSide: Int = 800,
    goesOn: () -> Bool = { true }, progress: (_ done: Int, _ album: DemoAlbum) -> Void
  ) async throws {
    guard let ffmpeg = SystemProgram("ffmpeg", environment: environment) else {
      throw LunaraError(
        "demo.noFFmpeg",
        "The demo library needs ffmpeg to make its music. Install it (on Debian: apt install ffmpeg; make setup does), "
          + "or use your own music with --music DIR.")
    }
    if Files.exists(folder), !Files.exists("\(folder)/.lunara-demo") {
      throw LunaraError(
        "demo.folderTaken",
        "\(folder) exists and was not made by Lunara, so the demo library cannot be put there. Rename that folder.")
    }
    let (unfinished, outdated) = ("\(folder).unfinished", "\(folder).outdated")
    let limit = min(3, max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))))
    do {
      for leftover in [unfinished, outdated] { try Files.removeTree(leftover) }
      try await withThrowingTaskGroup(of: DemoAlbum.self) { group in
        var done = 0
        func report(_ album: DemoAlbum) {
          done += 1
          progress(done, album)
        }
        for (index, album) in albums.enumerated() {
          if index >= limit, let made = try await group.next() { report(made) }
          guard goesOn() else { throw CancellationError() }
          let path = "\(unfinished)/\(album.folder)"
          try Files.makeFolder(path)
          group.addTask {
            guard let complaint = try ffmpeg.run(ffmpegArguments(album, in: path, coverSide)) else { return album }
            throw LunaraError(
              "demo.cannotEncode", "ffmpeg could not write the demo library. Is there room on the disk?",
              cause: complaint)
          }
        }
        for try await made in group { report(made) }
      }
      try Files.replace("\(unfinished)/.lunara-demo", with: Self.version)
      if Files.exists(folder) { try Files.move(folder, to: outdated) }
      try Files.move(unfinished, to: folder)
      try Files.removeTree(outdated)
    } catch let error as Errno {
      let remedy = error.isDiskFull ? "The disk is full: make room." : "Check the folder's owner and mode."
      throw LunaraError("demo.cannotWrite", "The demo library cannot be written to \(folder). \(remedy)", cause: error)
    }
  }

  private func ffmpegArguments(_ album: DemoAlbum, in path: String, _ coverSide: Int) -> [String] {
    var words = [
      "-v", "error", "-nostdin", "-y", "-f", "lavfi", "-i", album.cover(side: coverSide), "-filter_complex",
      album.sound,
    ]
    let picture = ["-map", "0:v", "-frames:v", "1", "-c:v", "mjpeg", "-threads:v", "1", "-q:v", "2"]
    if !album.embedsCover { words += picture + ["\(path)/cover.jpg"] }
    for (index, track) in album.tracks.enumerated() {
      words += ["-map", "[track\(index)]", "-c:a", "flac", "-compression_level", "4", "-bitexact"]
      if album.embedsCover {
        words += picture + ["-disposition:v", "attached_pic"]
        words += ["-metadata:s:v", "title=Cover", "-metadata:s:v", "comment=Cover (front)"]
      }
      let tags: KeyValuePairs = [
        "ARTIST": album.artist, "ALBUMARTIST": album.artist, "ALBUM": album.title, "TITLE": track.title,
        "TRACKNUMBER": "\(index + 1)", "TRACKTOTAL": "\(album.tracks.count)", "DISCNUMBER": "1",
        "DATE": "\(album.year)", "GENRE": album.genre,
      ]
      for (name, value) in tags { words += ["-metadata", "\(name)=\(value)"] }
      words.append("\(path)/0\(index + 1) \(track.title).flac")
    }
    return words
  }
}

extension Command {
  /// The command that makes the demo library. `lunara up --demo` runs it in a process of its own, so that its memory is
  /// freed afterwards.
  static let composeDemo = Command(
    name: "compose-demo", summary: "make the library of generated music that `lunara up --demo` plays",
    discussion: "Seven albums by four invented artists, about 60 MB, in DIR/demo. Needs ffmpeg.",
    examples: ["lunara compose-demo /tmp/music": "writes it to /tmp/music/demo"],
    operand: .one("DIR", help: "the folder in which the folder demo is made"),
    action: .asynchronous { context in
      let (library, console) = (DemoLibrary(home: context.arguments.operands[0]), context.console)
      guard !library.isMade else { return console.remark("\(library.folder) is up to date.") }
      console.remark("composing \(DemoAlbum.all.count) albums of music, once; it takes about half a minute")
      let supervisor = SupervisorPipe(context.environment)
      try await library.make(environment: context.environment, goesOn: { supervisor.isOpen }) { done, album in
        console.remark("composed \(done) of \(DemoAlbum.all.count): \(album.artist) – \(album.title)")
      }
    })
}
