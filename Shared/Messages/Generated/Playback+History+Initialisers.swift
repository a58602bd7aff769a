// Generated from Playback+History.swift by `make generate`: memberwise initialisers for other modules.
// Nobody passes the last parameter. It tells an initialiser from the one that the compiler makes for this module alone.
// swift-format-ignore-file
public import Model

extension Playback.ListenMark {
  public init(listen: ListenID, startedAt: Timestamp, heard: Milliseconds, _: Void = ()) {
    self.listen = listen
    self.startedAt = startedAt
    self.heard = heard
  }
}

extension Playback.ReadPlayed {
  public init(limit: Int = 50, _: Void = ()) { self.limit = limit }
}

extension Playback.PlayedItems {
  public init(items: [Playback.PlayedItem], _: Void = ()) { self.items = items }
}

extension Playback.PlayedItem {
  public init(item: QueueItem, startedAt: Timestamp, heard: Milliseconds, reason: Playback.EndReason, _: Void = ()) {
    self.item = item
    self.startedAt = startedAt
    self.heard = heard
    self.reason = reason
  }
}
