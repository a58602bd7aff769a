import Messages
import Model
import Synchronization

@testable import Discovery

/// A library's wish list. It has the album "Here" by Ada.
final class FakeWishLibrary: Sendable {
  /// The wishes, the oldest first.
  let wishes = Mutex<[Library.Wish]>([])
  let isAway = Mutex(false)
  /// Happens once, after the list was read and before it is sent.
  let whileListing = Mutex<(@Sendable () async throws -> Void)?>(nil)
  /// The number of all requests, and of those that add a wish.
  let asked = Mutex(0)
  let added = Mutex(0)

  var access: WishFollower.Access {
    WishFollower.Access(
      list: { [self] _, _ in
        try check()
        let listed = wishes.withLock { Array($0.reversed()) }
        let event = whileListing.withLock { event in
          defer { event = nil }
          return event
        }
        try await event?()
        return Library.Page(items: listed, next: nil)
      },
      add: { [self] request in
        try check()
        added.withLock { $0 += 1 }
        guard request.album != "Here" else { throw LunaraError("library.wishIsHere", "It is here.") }
        return wishes.withLock { wishes in
          let wish = Library.Wish(
            id: Int64(wishes.count + 1), artist: request.artist, album: request.album, addedAt: Timestamp(seconds: 5),
            releaseGroup: request.releaseGroup)
          wishes.append(wish)
          return wish
        }
      },
      remove: { [self] request in
        try check()
        wishes.withLock { $0.removeAll { $0.id == request.id } }
      })
  }

  private func check() throws {
    asked.withLock { $0 += 1 }
    guard !isAway.withLock({ $0 }) else { throw LunaraError("bus.unreachable", "The library is away.") }
  }
}
