import Bus
import Messages
import Model
import Synchronization
import TestSupport

@testable import lunara

extension CommandFixture {
  /// A library that records what is imported, and has, for the room of imports, one listen of its own and one that the
  /// scrobbler has as well.
  private func history(_ room: RoomName) async throws {
    let node = try await add("library@main")
    await node.serve(Library.ImportListens.self) { request, _ in
      self.record("history \(request.listens.map(\.title).joined(separator: ",")) \(request.isLast)")
      return .init(added: request.listens.count, known: 0)
    }
    await node.serve(Library.UndoListenImport.self) { _, _ in .init(removed: 7, importedAt: Sample.moment) }
    await node.serve(Library.ListPlays.self) { request, _ in
      self.record("plays of \(request.filter.room?.rawValue ?? "-")")
      return .init(
        items: (room == .elsewhere ? ["l1", "i1"] : []).map { listen in
          .init(
            listen: ListenID(rawValue: listen), track: Sample.track("t1", "Last Tram"), room: .elsewhere,
            startedAt: Sample.moment, heard: Milliseconds(31_000), counted: true, skipped: false)
        }, next: nil)
    }
  }

  /// A scrobbler with two accounts and a sign-in that goes through these steps; it records its requests. With a
  /// `cursor` what counted has a second page, which cannot be read.
  func accounts(
    signIn: [Scrobble.SignInState] = [], withheld: String? = nil, loves: [Scrobble.FailedLove] = [],
    cursor: String? = nil, room: RoomName = RoomName(from: "den"), hasLibrary: Bool = true
  ) async throws {
    let node = try await add("scrobble@main")
    await node.publish(
      Scrobble.OutboxState(
        counted: 1, pending: 0, failed: 0, privateUntil: Timestamp(seconds: 1), failedLoves: loves.count))
    await node.serve(Scrobble.ListFailedLoves.self) { _, _ in .init(count: loves.count, items: loves) }
    let accounts = Scrobble.AccountList(accounts: [
      .init(
        service: "lastfm", account: "ann", address: "https://ws.audioscrobbler.com/2.0/", isOn: true,
        state: "signed-out", pending: 3, failed: 1, error: LunaraError("scrobble.signedOut", "Sign in again.")),
      .init(
        service: "listenbrainz", account: "ann", address: "https://api.listenbrainz.org", isOn: true, state: "ready",
        pending: 0, failed: 0),
    ])
    await node.serve(Scrobble.ListServices.self) { _, _ in .init(services: Sample.scrobbleServices) }
    await node.serve(Scrobble.ListAccounts.self) { _, _ in accounts }
    await node.serve(Scrobble.AddAccount.self) { request, _ in
      self.record("add \(request.service) \(request.user ?? "-")")
      return .init(service: request.service, account: request.user ?? "ann")
    }
    await node.serve(Scrobble.SwitchAccount.self) { request, _ in
      self.record("switch \(request.service ?? "-") \(request.account ?? "-") \(request.isOn)")
      return accounts
    }
    await node.serve(Scrobble.SignOut.self) { request, _ in
      self.record("sign out \(request.service) \(request.account ?? "-")")
      return accounts
    }
    await node.serve(Scrobble.BeginSignIn.self) { request, _ in
      self.record("begin \(request.service) \(request.address ?? "-") \(request.page ?? "-")")
      return .init(id: "7", link: "https://last.fm/one", expiresAt: Timestamp(seconds: 4_000_000_000))
    }
    await node.serve(Scrobble.ReadSignIn.self) { _, _ in
      self.record("read")
      let asked = self.asked.withLock { $0.filter { $0 == "read" }.count }
      return asked > signIn.count ? .init(state: "waiting") : signIn[asked - 1]
    }
    await node.serve(Scrobble.RetryDeliveries.self) { request, _ in
      self.record("retry \(request.listen?.rawValue ?? "-")")
      return .init(count: 4)
    }
    await node.serve(Scrobble.DropDeliveries.self) { request, _ in
      self.record("drop \(request.listen?.rawValue ?? "-")")
      return .init(count: 1)
    }
    await node.serve(Scrobble.SetPrivate.self) { request, _ in
      self.record("private \(request.duration?.rawValue ?? 0)")
      return .init(until: request.duration.map { _ in Sample.moment })
    }
    await node.serve(Scrobble.ChangeFilters.self) { request, _ in .init(filters: request.add) }
    await node.serve(Scrobble.ImportListens.self) { request, _ in
      self.record("import \(request.listens.count) \(request.sends)")
      return .init(added: request.listens.count, known: 0)
    }
    if hasLibrary { try await history(room) }
    await node.serve(Scrobble.ListScrobbles.self) { request, _ in
      if request.after != nil { throw LunaraError("storage.corrupt", "The second page cannot be read.") }
      return .init(
        items: [
          .init(
            listen: ListenID(rawValue: "l1"), room: room, track: Sample.track("t1", "Last Tram"),
            startedAt: Sample.moment, heard: Milliseconds(31_000), destinations: [], withheld: withheld)
        ], next: cursor)
    }
  }
}
