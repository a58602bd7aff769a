// Generated from Scrobble+Delivery.swift by `make generate`: memberwise initialisers for other modules.
// Nobody passes the last parameter. It tells an initialiser from the one that the compiler makes for this module alone.
// swift-format-ignore-file
public import Model

extension Scrobble.DeliverySent {
  public init(service: String, account: String, listens: [ListenID], _: Void = ()) {
    self.service = service
    self.account = account
    self.listens = listens
  }
}

extension Scrobble.DeliveryFailed {
  public init(
    service: String, account: String, listen: ListenID, title: String, artist: String, reason: String, _: Void = ()
  ) {
    self.service = service
    self.account = account
    self.listen = listen
    self.title = title
    self.artist = artist
    self.reason = reason
  }
}

extension Scrobble.AccountPaused {
  public init(service: String, account: String, error: LunaraError?, _: Void = ()) {
    self.service = service
    self.account = account
    self.error = error
  }
}

extension Scrobble.RetryDeliveries {
  public init(listen: ListenID? = nil, _: Void = ()) { self.listen = listen }
}

extension Scrobble.DropDeliveries {
  public init(listen: ListenID? = nil, _: Void = ()) { self.listen = listen }
}

extension Scrobble.DeliveryCount {
  public init(count: Int, _: Void = ()) { self.count = count }
}

extension Scrobble.ImportListens {
  public init(listens: [Scrobble.ImportedListen], sends: Bool = false, _: Void = ()) {
    self.listens = listens
    self.sends = sends
  }
}

extension Scrobble.Imported {
  public init(added: Int, known: Int, _: Void = ()) {
    self.added = added
    self.known = known
  }
}

extension Scrobble.ImportedListen {
  public init(
    listen: ListenID? = nil, startedAt: Timestamp, title: String, artist: String, album: String? = nil,
    albumArtist: String? = nil, number: Int? = nil, duration: Milliseconds? = nil, recordingID: String? = nil,
    releaseID: String? = nil, _: Void = ()
  ) {
    self.listen = listen
    self.startedAt = startedAt
    self.title = title
    self.artist = artist
    self.album = album
    self.albumArtist = albumArtist
    self.number = number
    self.duration = duration
    self.recordingID = recordingID
    self.releaseID = releaseID
  }
}

extension Scrobble.ListFailedLoves {
  public init(limit: Int = 50, _: Void = ()) { self.limit = limit }
}

extension Scrobble.FailedLoves {
  public init(count: Int, items: [Scrobble.FailedLove], _: Void = ()) {
    self.count = count
    self.items = items
  }
}

extension Scrobble.FailedLove {
  public init(
    service: String, account: String, title: String, artist: String, isLoved: Bool, reason: String, _: Void = ()
  ) {
    self.service = service
    self.account = account
    self.title = title
    self.artist = artist
    self.isLoved = isLoved
    self.reason = reason
  }
}
