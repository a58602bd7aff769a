import System
import CPlatform
import Glibc
import Model

/// The small library of generated music that `lunara up --demo` plays. It is made once and kept, and it is either whole or
/// absent. ffmpeg computes both the sound and the pictures.
struct DemoLibrary {
  /// The folder of the library.
  let folder: String

  /// Grows when the music or the pictures change.
  static let version = "2"

  /// The demo library of a household.
  init(home: String) { folder = "\(home)/demo" }

  private var stamp: String { "\(folder)/.lunara-demo" }
  private var unfinished: String { "\(folder).unfinished" }
  private var outdated: String { "\(folder).outdated" }

  /// True if the library exists in this version.
  var isMade: Bool { Files.text(of: stamp) == Self.version }

  /// Makes the library and reports each album that is done. What an interrupted run left is made again; a folder of that
  /// name that Lunara did not make is never touched. `goesOn` is asked before each longer piece of work.
  ///
  /// - Throws: `demo.folderTaken`, `demo.cannotEncode`, `demo.cannotWrite`; `CancellationError` where `goesOn` is false.
  func make(
    _ albums: [DemoAlbum] = DemoAlbum.all, with encoder: FFmpeg, coverSide: Int = 800, goesOn: () -> Bool = { true },
    progress: (_ done: Int, _ album: DemoAlbum) -> Void
  ) throws {
    do {
      try makeAll(albums, with: encoder, coverSide: coverSide, goesOn: goesOn, progress: progress)
    } catch let error as Errno {
      let remedy = error.isDiskFull ? "The disk is full: make room." : "Check the folder's owner and mode."
      throw LunaraError("demo.cannotWrite", "The demo library cannot be written to \(folder). \(remedy)", cause: error)
    }
  }

  private func makeAll(
    _ albums: [DemoAlbum], with encoder: FFmpeg, coverSide: Int, goesOn: () -> Bool,
    progress: (_ done: Int, _ album: DemoAlbum) -> Void
  ) throws {
    if access(folder, F_OK) == 0, Files.text(of: stamp) == nil {
      throw LunaraError(
        "demo.folderTaken",
        "\(folder) exists and was not made by Lunara, so the demo library cannot be put there. Rename that folder.")
    }
    for leftover in [unfinished, outdated] { try Files.removeTree(leftover) }
    try Files.makeFolder(unfinished)
    let limit = min(4, max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))))
    for (index, album) in albums.enumerated() {
      let path = "\(unfinished)/\(album.folder)"
      let cover = "\(path)/cover.jpg"
      try Files.makeFolder(path)
      try encoder.start([
        "-f", "lavfi", "-i", album.cover.filter(side: coverSide), "-frames:v", "1", "-q:v", "2", cover,
      ])
      .wait()
      var running: [FFmpeg.Run] = []
      for suite in album.suites {
        guard goesOn() else { throw CancellationError() }
        if running.count == limit { try running.removeFirst().wait() }
        running.append(try encoder.start(words(album, suite, in: path, cover: cover)))
      }
      for run in running { try run.wait() }
      if album.embedsCover { try Files.removeTree(cover) }
      progress(index + 1, album)
    }
    try Files.replace("\(unfinished)/.lunara-demo", with: Self.version)
    if access(folder, F_OK) == 0 { try Files.move(folder, to: outdated) }
    try Files.move(unfinished, to: folder)
    try Files.removeTree(outdated)
  }

  /// The words for ffmpeg that make the files of a suite.
  private func words(_ album: DemoAlbum, _ suite: Range<Int>, in path: String, cover: String) -> [String] {
    var words = album.embedsCover ? ["-i", cover] : []
    words += ["-filter_complex", DemoSound.graph(Array(album.tracks[suite]), album.instruments)]
    for (output, index) in suite.enumerated() {
      let number = index + 1
      words += ["-map", "[track\(output)]", "-c:a", "flac", "-compression_level", "4", "-bitexact"]
      if album.embedsCover {
        words += ["-map", "0:v", "-c:v", "copy", "-disposition:v", "attached_pic"]
        words += ["-metadata:s:v", "title=Cover", "-metadata:s:v", "comment=Cover (front)"]
      }
      let tags = [
        ("ARTIST", album.artist), ("ALBUMARTIST", album.artist), ("ALBUM", album.title),
        ("TITLE", album.tracks[index].title), ("TRACKNUMBER", "\(number)"), ("TRACKTOTAL", "\(album.tracks.count)"),
        ("DISCNUMBER", "1"), ("DATE", "\(album.year)"), ("GENRE", album.genre),
      ]
      for (name, value) in tags { words += ["-metadata", "\(name)=\(value)"] }
      words.append("\(path)/\(number < 10 ? "0" : "")\(number) \(album.tracks[index].title).flac")
    }
    return words
  }
}

/// The program `ffmpeg`.
struct FFmpeg: Sendable {
  private let path: String

  /// Looks for the program in the folders of `PATH`.
  ///
  /// - Throws: `demo.noFFmpeg`.
  init(environment: Environment) throws {
    guard let tool = SystemProgram("ffmpeg", environment: environment) else {
      throw LunaraError(
        "demo.noFFmpeg",
        "The demo library needs ffmpeg to make its music. Install it (on Debian: apt install ffmpeg; make setup does), "
          + "or use your own music with --music DIR.")
    }
    path = tool.path
  }

  /// A running process.
  struct Run {
    fileprivate let pid: pid_t
    fileprivate let messages: Descriptor

    /// Waits for the end of the process.
    ///
    /// - Throws: `demo.cannotEncode` with what the program said.
    func wait() throws {
      var words: [UInt8] = []
      while case .bytes(let bytes) = messages.read() { words += bytes }
      var ending: Int32 = 0
      _ = lunara_reap(pid, 1, &ending)
      guard ending == 0 else {
        throw LunaraError(
          "demo.cannotEncode", "ffmpeg could not write the demo library. Is there room on the disk?",
          cause: String(decoding: words.prefix(400), as: UTF8.self))
      }
    }
  }

  /// Starts the program with its words.
  ///
  /// - Throws: `demo.cannotEncode`, `cli.noPipe`.
  func start(_ words: [String]) throws -> Run {
    let messages = try Descriptor.pipe()
    let nothing = try Descriptor.null()
    let descriptors = [nothing.number, messages.write.number, messages.write.number]
    var pid: pid_t = 0
    let error = CStrings.with(["ffmpeg", "-v", "error", "-nostdin", "-y"] + words) { arguments in
      CStrings.with(["LC_ALL=C.UTF-8"]) { variables in
        lunara_spawn(&pid, path, arguments, variables, descriptors, Int32(descriptors.count))
      }
    }
    guard error == 0 else {
      throw LunaraError("demo.cannotEncode", "Cannot start \(path).", cause: String(cString: strerror(error)))
    }
    return Run(pid: pid, messages: messages.read)
  }
}

extension Command {
  /// Makes the demo library; `lunara up --demo` runs it as a process of its own, so that its memory is given back.
  static let composeDemo = Command(
    name: "compose-demo", summary: "make the library of generated music that `lunara up --demo` plays",
    discussion: "Seven albums by four invented artists, about 60 MB, in DIR/demo. Needs ffmpeg.",
    examples: [.init("lunara compose-demo /tmp/music", "writes it to /tmp/music/demo")],
    operand: .one("DIR", help: "the folder in which the folder demo is made"),
    action: .held { context in
      let library = DemoLibrary(home: context.arguments.operands[0])
      guard !library.isMade else {
        context.console.note("\(library.folder) is up to date.")
        return .done
      }
      let console = context.console
      console.note("composing \(DemoAlbum.all.count) albums of music, once; it takes about half a minute")
      let supervisor = SupervisorPipe(context.environment)
      try library.make(with: FFmpeg(environment: context.environment), goesOn: { supervisor.isOpen }) { done, album in
        console.note("composed \(done) of \(DemoAlbum.all.count): \(album.artist) – \(album.title)")
      }
      return .done
    })
}
