// Generated from Scrobble.swift by `make generate`: memberwise initialisers for other modules.
// Nobody passes the last parameter. It tells an initialiser from the one that the compiler makes for this module alone.
// swift-format-ignore-file
public import Model

extension Scrobble.ListenCounted {
  public init(subject: Playback.ListenSubject, heard: Milliseconds, withheld: String? = nil, _: Void = ()) {
    self.subject = subject
    self.heard = heard
    self.withheld = withheld
  }
}

extension Scrobble.OutboxState {
  public init(
    counted: Int, pending: Int, failed: Int, accounts: [Scrobble.Account]? = nil, privateUntil: Timestamp? = nil,
    failedLoves: Int? = nil, _: Void = ()
  ) {
    self.counted = counted
    self.pending = pending
    self.failed = failed
    self.accounts = accounts
    self.privateUntil = privateUntil
    self.failedLoves = failedLoves
  }
}

extension Scrobble.ListScrobbles {
  public init(filter: Filter = .all, limit: Int = 50, after: String? = nil, _: Void = ()) {
    self.filter = filter
    self.limit = limit
    self.after = after
  }
}

extension Scrobble.Entry {
  public init(
    listen: ListenID, room: RoomName, track: Track, startedAt: Timestamp, heard: Milliseconds,
    destinations: [Scrobble.Destination], withheld: String? = nil, _: Void = ()
  ) {
    self.listen = listen
    self.room = room
    self.track = track
    self.startedAt = startedAt
    self.heard = heard
    self.destinations = destinations
    self.withheld = withheld
  }
}

extension Scrobble.Destination {
  public init(service: String, account: String, state: String, attempts: Int, answer: String?, _: Void = ()) {
    self.service = service
    self.account = account
    self.state = state
    self.attempts = attempts
    self.answer = answer
  }
}

extension Scrobble.PrivateState {
  public init(until: Timestamp?, _: Void = ()) { self.until = until }
}

extension Scrobble.ReadWithheld {
  public init(track: Track, room: RoomName, _: Void = ()) {
    self.track = track
    self.room = room
  }
}

extension Scrobble.WithheldReason {
  public init(reason: String?, _: Void = ()) { self.reason = reason }
}

extension Scrobble.Filter {
  public init(kind: String, value: String, _: Void = ()) {
    self.kind = kind
    self.value = value
  }
}

extension Scrobble.ChangeFilters {
  public init(add: [Scrobble.Filter] = [], remove: [Scrobble.Filter] = [], _: Void = ()) {
    self.add = add
    self.remove = remove
  }
}

extension Scrobble.FilterList {
  public init(filters: [Scrobble.Filter], _: Void = ()) { self.filters = filters }
}
