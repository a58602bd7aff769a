import Glibc
import Model

/// The small library of generated music that `lunara up --demo` plays: made once, kept for the next time, and whole or
/// not there at all.
struct DemoLibrary {
  /// The folder it lies in.
  let folder: String

  /// Grows when the music or the pictures change.
  static let version = "1"

  /// The demo library of a household.
  init(home: String) { folder = "\(home)/demo" }

  private var stamp: String { "\(folder)/.lunara-demo" }
  private var unfinished: String { "\(folder).unfinished" }
  private var outdated: String { "\(folder).outdated" }

  /// Whether it is there in this version.
  var isMade: Bool { Folders.text(of: stamp) == Self.version }

  /// Makes it, telling of each album as it is done. What an interrupted run left is made anew; a folder of that name
  /// that is not ours is never touched. `goesOn` is asked before each longer piece of work.
  ///
  /// - Throws: `demo.folderTaken`, `demo.noFFmpeg`, `demo.cannotEncode`, `demo.cannotWrite`.
  func make(
    _ albums: [DemoAlbum] = DemoAlbum.all, with encoder: FFmpeg, coverSide: Int = 800,
    goesOn: @escaping @Sendable () -> Bool = { true },
    progress: @escaping @Sendable (_ done: Int, _ album: DemoAlbum) -> Void
  ) throws {
    if access(folder, F_OK) == 0, Folders.text(of: stamp) == nil {
      throw LunaraError(
        "demo.folderTaken",
        "\(folder) is there and was not made by Lunara, so the demo library cannot be put there. Rename that folder.")
    }
    for leftover in [unfinished, outdated] { try Folders.remove(leftover) }
    try Folders.make(unfinished)
    let studios = albums.map { album in
      DemoStudio(album: album, folder: "\(unfinished)/\(album.folder)", encoder: encoder, coverSide: coverSide)
    }
    // Each at work takes up to 150 MB.
    let workers = min(4, max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))))
    try Workers.run(studios.map { studio in { try studio.drawCover() } }, count: workers)
    let tally = DemoTally(albums, progress: progress)
    let suites = studios.flatMap { studio in studio.album.suites.map { (studio, $0) } }
    try Workers.run(
      suites.map { studio, suite in
        {
          guard goesOn() else { throw CancellationError() }
          try studio.record(suite)
          tally.finished(one: studio.album)
        }
      }, count: workers)
    for studio in studios { try studio.tidy() }
    try Folders.write(Self.version, to: "\(unfinished)/.lunara-demo")
    if access(folder, F_OK) == 0 { try Folders.move(folder, to: outdated) }
    try Folders.move(unfinished, to: folder)
    try Folders.remove(outdated)
  }
}
