import Synchronization

/// Counts the finished parts of albums and tells when an album is whole.
final class DemoTally: Sendable {
  private struct Count {
    var open: [String: Int] = [:]
    var done = 0
  }

  private let count: Mutex<Count>
  private let progress: @Sendable (Int, DemoAlbum) -> Void

  /// A tally of albums, none of them begun.
  init(_ albums: [DemoAlbum], progress: @escaping @Sendable (Int, DemoAlbum) -> Void) {
    count = Mutex(Count(open: Dictionary(uniqueKeysWithValues: albums.map { ($0.folder, $0.suites.count) })))
    self.progress = progress
  }

  /// One part of an album is done.
  func finished(one album: DemoAlbum) {
    count.withLock { count in
      let open = (count.open[album.folder] ?? 1) - 1
      count.open[album.folder] = open
      guard open == 0 else { return }
      count.done += 1
      progress(count.done, album)
    }
  }
}
