import Messages
import Model
import ServiceKit
import Storage

extension Room {
  /// Says which items come next, where they are others than before: once sound flows, as what is heard now has more need
  /// of the network.
  func prefetch() {
    guard let wanting = outlet.prefetch, wanting.count > 0 else { return }
    guard machine.isFlowing || machine.queue.current == nil else { return }
    let rows = (0..<wanting.count).compactMap { machine.queue.slot(ahead: $0 + 1)?.row }
    guard rows != prefetched else { return }
    prefetched = rows
    Task { [database, log] in
      do {
        await wanting.want(try await database.read { try QueueStore.items(rows, in: $0) })
      } catch {
        log.error(error)
      }
    }
  }
}
