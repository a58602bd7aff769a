// Generated from Playback.swift by `make generate`: memberwise initialisers for other modules.
// Nobody passes the last parameter. It tells an initialiser from the one that the compiler makes for this module alone.
// swift-format-ignore-file
public import Model

extension Playback.RoomState {
  public init(
    room: RoomName, state: PlaybackState, item: QueueItem?, position: Position, duration: Milliseconds?, volume: Int,
    queueRevision: Int64, modes: Playback.Modes? = nil, listen: Playback.ListenMark? = nil,
    buffered: Milliseconds? = nil, notice: LunaraError? = nil, retriesAt: Timestamp? = nil, interruption: String? = nil,
    title: String? = nil, plugin: String? = nil, isPreview: Bool? = nil, _: Void = ()
  ) {
    self.room = room
    self.state = state
    self.item = item
    self.position = position
    self.duration = duration
    self.volume = volume
    self.queueRevision = queueRevision
    self.modes = modes
    self.listen = listen
    self.buffered = buffered
    self.notice = notice
    self.retriesAt = retriesAt
    self.interruption = interruption
    self.title = title
    self.plugin = plugin
    self.isPreview = isPreview
  }
}

extension Playback.QueueState {
  public init(
    revision: Int64, count: Int, current: Int?, nextIndex: Int? = nil, first: Int, items: [QueueItem],
    continuation: Playback.Continuation? = nil, wantsMore: Bool? = nil, moving: Playback.Moving? = nil,
    homes: [Int64]? = nil, audio: [Playback.AudioPlace]? = nil, _: Void = ()
  ) {
    self.revision = revision
    self.count = count
    self.current = current
    self.nextIndex = nextIndex
    self.first = first
    self.items = items
    self.continuation = continuation
    self.wantsMore = wantsMore
    self.moving = moving
    self.homes = homes
    self.audio = audio
  }
}

extension Playback.ListenSubject {
  public init(
    listen: ListenID, room: RoomName, item: QueueItem, startedAt: Timestamp, device: String? = nil, _: Void = ()
  ) {
    self.listen = listen
    self.room = room
    self.item = item
    self.startedAt = startedAt
    self.device = device
  }
}

extension Playback.ListenStarted {
  public init(subject: Playback.ListenSubject, _: Void = ()) { self.subject = subject }
}

extension Playback.ListenHeard {
  public init(subject: Playback.ListenSubject, heard: Milliseconds, _: Void = ()) {
    self.subject = subject
    self.heard = heard
  }
}

extension Playback.ListenEnded {
  public init(subject: Playback.ListenSubject, heard: Milliseconds, reason: Playback.EndReason, _: Void = ()) {
    self.subject = subject
    self.heard = heard
    self.reason = reason
  }
}

extension Playback.TrackFailed {
  public init(room: RoomName, item: QueueItem, error: LunaraError, _: Void = ()) {
    self.room = room
    self.item = item
    self.error = error
  }
}
