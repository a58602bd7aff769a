import Bus
import Messages
import Model
import Storage

extension Scrobbler {
  /// Starts to answer requests about listens, deliveries, filters and private listening.
  ///
  /// `changed` is called after a change that the published state shows.
  func serveRequests(_ senders: DeliverySenders, changed: @escaping @Sendable () -> Void) async {
    let database = accounts.database
    await node.serve(Scrobble.ListScrobbles.self) { request, _ in
      try await database.read { try ScrobbleList.page(request, in: $0) }
    }
    await node.serve(Scrobble.RetryDeliveries.self) { request, _ in
      let count = try await database.write(.power) { try DeliveryActions.retry(request.listen, $0) }
      try await senders.retry()
      return Scrobble.DeliveryCount(count: count)
    }
    await node.serve(Scrobble.DropDeliveries.self) { request, _ in
      let count = try await database.write(.power) { try DeliveryActions.drop(request.listen, $0) }
      changed()
      return Scrobble.DeliveryCount(count: count)
    }
    await node.serve(Scrobble.ListFailedLoves.self) { request, _ in
      try await database.read { try Outbox.failedLoves(request.limit, $0) }
    }
    await node.serve(Scrobble.ImportListens.self) { request, _ in
      let answer = try await database.write { try ListenImport.add(request, at: .now(), $0) }
      changed()
      await senders.wake()
      return answer
    }
    await node.serve(Scrobble.SetPrivate.self) { request, _ in
      let until = try await database.write { transaction in
        let now = Timestamp.now()
        try PrivateListening.setPrivate(request.duration, at: now, transaction)
        return try PrivateListening.privateUntil(at: now, transaction)
      }
      if until != nil { await senders.announce(nil) }
      changed()
      return Scrobble.PrivateState(until: until)
    }
    await node.serve(Scrobble.ReadWithheld.self) { request, _ in
      let now = Timestamp.now()
      let heard = PrivateListening.HeardTrack(
        track: request.track, room: request.room, began: now, ended: now, now: now)
      return Scrobble.WithheldReason(reason: try await database.read(PrivateListening.read).reason(heard))
    }
    await node.serve(Scrobble.ChangeFilters.self) { request, _ in
      try await database.write(.power) { transaction in
        try PrivateListening.change(add: request.add, remove: request.remove, transaction)
        return Scrobble.FilterList(filters: try PrivateListening.read(transaction).filters)
      }
    }
  }
}
