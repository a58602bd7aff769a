import Bus
import Messages
import Model
import Storage

/// Answers what people and surfaces ask of the scrobbler.
struct ScrobbleDesk: Sendable {
  let accounts: AccountDesk
  let database: Database
  /// Told after what changes how things stand.
  let changed: @Sendable () -> Void

  func serve(on node: Node) async {
    let (accounts, database, changed) = (accounts, database, changed)
    await node.serve(Scrobble.ListScrobbles.self) { request, _ in
      try await database.read { try ScrobbleList.page(request, in: $0) }
    }
    await node.serve(Scrobble.RetryDeliveries.self) { request, _ in
      let count = try await database.write(.power) { try Upkeep.retry(request.listen, $0) }
      try await accounts.retry()
      return Scrobble.DeliveryCount(count: count)
    }
    await node.serve(Scrobble.DropDeliveries.self) { request, _ in
      let count = try await database.write(.power) { try Upkeep.drop(request.listen, $0) }
      changed()
      return Scrobble.DeliveryCount(count: count)
    }
    await node.serve(Scrobble.ListFailedLoves.self) { request, _ in
      try await database.read { try Outbox.failedLoves(request.limit, $0) }
    }
    await node.serve(Scrobble.ImportListens.self) { request, _ in
      let answer = try await database.write { try ListenImport.take(request, at: .now(), $0) }
      changed()
      await accounts.wake()
      return answer
    }
    await node.serve(Scrobble.SetPrivate.self) { request, _ in
      let until = try await database.write { transaction in
        let now = Timestamp.now()
        try Withholding.setPrivate(request.duration, at: now, transaction)
        return try Withholding.privateUntil(at: now, transaction)
      }
      if until != nil { await accounts.announce(nil) }
      changed()
      return Scrobble.PrivateState(until: until)
    }
    await node.serve(Scrobble.ChangeFilters.self) { request, _ in
      try await database.write(.power) { transaction in
        try Withholding.change(add: request.add, remove: request.remove, transaction)
        return Scrobble.FilterList(filters: try Withholding.read(transaction).filters)
      }
    }
    await serveAccounts(on: node)
  }

  private func serveAccounts(on node: Node) async {
    let accounts = accounts
    await node.serve(Scrobble.ListAccounts.self) { _, _ in try await accounts.list() }
    await node.serve(Scrobble.SwitchAccount.self) { request, _ in try await accounts.switchAccounts(request) }
    await node.serve(Scrobble.AddAccount.self) { request, _ in try await accounts.add(request) }
    await node.serve(Scrobble.BeginSignIn.self) { request, _ in try await accounts.beginSignIn(request) }
    await node.serve(Scrobble.ReadSignIn.self) { request, _ in try await accounts.signInState(request.id) }
    await node.serve(Scrobble.SignOut.self) { request, _ in try await accounts.signOut(request) }
  }
}
