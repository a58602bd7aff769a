import CPlatform
import Glibc
import System

/// Keeps the heap of the player's process from growing with the number of files that it has played.
///
/// The heap keeps the 10 MiB that libmpv clears for each file (`MPVEngine.keptHeap`), as new pages would take half of
/// the time in which a file is opened. Between two files small allocations may settle in them, and then the next file
/// needs another 10 MiB: a player that was left to itself grew from 24 to 100 MB within four minutes of short files.
struct DecoderHeap {
  /// The growth of the process, in bytes, from which what is free in its heap is given back.
  static let slack = 24 << 20

  /// The memory that was in use when the heap was last trimmed, or first looked at.
  private var used = Int.max

  /// Returns whether the heap should be trimmed, given the memory of the process in bytes.
  mutating func hasGrown(to now: Int) -> Bool {
    used = min(used, now)
    return now > used + Self.slack
  }

  /// Gives free memory back where the process has grown by more than `slack` since it was smallest.
  mutating func trimIfGrown() {
    guard let now = ProcessMemory.of("self")?.own, hasGrown(to: now) else { return }
    lunara_trim_heap()
    // Memory that is left is in use, such as that of a long file in the cache, and no reason to trim for each track.
    used = ProcessMemory.of("self")?.own ?? now
  }
}
