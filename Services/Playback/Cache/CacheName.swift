import Messages
import Model

/// The name of a file in the cache: what it is of, and which version of that. It is made of hashes, so that neither an
/// address nor a title is on the disk.
struct CacheName: Hashable, Sendable {
  /// The track with its length: a track that became another one is not taken for it.
  let track: String
  /// Where it lies, without what differs from one address of the same thing to the next: a server that changes a file
  /// gives it another path (Plex), and then it is fetched anew.
  let place: String

  /// Names an item's audio at an address.
  init(_ item: QueueItem, at url: String) {
    track = Self.track(of: item)
    place = Self.hash(url.prefix { $0 != "?" && $0 != "#" }.utf8)
  }

  /// Reads the name of a file; nil for one that is none of the cache's.
  init?(file: String) {
    let parts = file.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 2, parts.allSatisfy({ $0.utf8.count == 32 && $0.allSatisfy(\.isHexDigit) }) else { return nil }
    (track, place) = (String(parts[0]), String(parts[1]))
  }

  /// The name of the file.
  var file: String { "\(track)-\(place)" }

  /// What all versions of an item's audio have in common.
  static func track(of item: QueueItem) -> String {
    hash("\(item.track.id.description)\n\(item.track.duration.rawValue)".utf8)
  }

  /// FNV-1a from two starts: names that nobody chooses to collide need no more.
  private static func hash(_ bytes: some Sequence<UInt8>) -> String {
    var (one, two): (UInt64, UInt64) = (0xCBF2_9CE4_8422_2325, 0x9AE1_6A3B_2F90_404F)
    for byte in bytes {
      one = (one ^ UInt64(byte)) &* 0x100_0000_01B3
      two = (two ^ UInt64(byte &+ 0x5B)) &* 0x100_0000_01B3
    }
    return hex(one) + hex(two)
  }

  private static func hex(_ number: UInt64) -> String {
    let text = String(number, radix: 16)
    return String(repeating: "0", count: 16 - text.utf8.count) + text
  }
}
