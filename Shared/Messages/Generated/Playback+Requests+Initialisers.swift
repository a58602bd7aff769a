// Generated from Playback+Requests.swift by `make generate`: memberwise initialisers for other modules.
// Nobody passes the last parameter. It tells an initialiser from the one that the compiler makes for this module alone.
// swift-format-ignore-file
public import Model

extension Playback.Load {
  public init(
    load: String, part: Int = 0, isLast: Bool = true, mode: Playback.LoadMode, items: [QueueItem], startAt: Int = 0,
    continuation: Playback.Continuation? = nil, order: Playback.Order? = nil, seed: UInt64? = nil, _: Void = ()
  ) {
    self.load = load
    self.part = part
    self.isLast = isLast
    self.mode = mode
    self.items = items
    self.startAt = startAt
    self.continuation = continuation
    self.order = order
    self.seed = seed
  }
}

extension Playback.QueueSummary {
  public init(revision: Int64, count: Int, current: Int?, _: Void = ()) {
    self.revision = revision
    self.count = count
    self.current = current
  }
}

extension Playback.ReadQueue {
  public init(first: Int = 0, limit: Int = 100, wantsAudio: Bool? = nil, _: Void = ()) {
    self.first = first
    self.limit = limit
    self.wantsAudio = wantsAudio
  }
}

extension Playback.EditQueue.IndexRange {
  public init(from: Int, to: Int, _: Void = ()) {
    self.from = from
    self.to = to
  }
}

extension Playback.Continuation {
  public init(
    list: Library.AlbumList, after: AlbumID, position: Int64 = 0, isOff: Bool? = nil, start: AlbumID? = nil,
    _: Void = ()
  ) {
    self.list = list
    self.after = after
    self.position = position
    self.isOff = isOff
    self.start = start
  }
}

extension Playback.Append {
  public init(
    load: String, part: Int = 0, isLast: Bool = true, items: [QueueItem], revision: Int64, position: Int64,
    after: AlbumID?, _: Void = ()
  ) {
    self.load = load
    self.part = part
    self.isLast = isLast
    self.items = items
    self.revision = revision
    self.position = position
    self.after = after
  }
}
