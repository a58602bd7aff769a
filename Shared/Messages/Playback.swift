public import Model

/// The messages of `lunara-playback`: one node for each room, `playback@<room>`.
public enum Playback {}

extension Playback {
  /// The state of a room. Published on every change, and at least every 10 s while it plays.
  public struct RoomState: State, Hashable {
    public static let kind = "playback.state"
    /// True: a room that replaces this one continues where this one was.
    public static let isKept = true
    /// The room.
    public var room: RoomName
    /// The playback state.
    public var state: PlaybackState
    /// The current item; nil if none is current.
    public var item: QueueItem?
    /// The position within the item; zero with rate 0 if no item is current.
    public var position: Position
    /// The length of the current item as the player knows it; nil if no item is current.
    public var duration: Milliseconds?
    /// The volume in percent, 0 to 100.
    public var volume: Int
    /// The revision of the queue to which this state belongs.
    public var queueRevision: Int64
    /// The modes of the room; nil from an older room.
    public var modes: Modes? = nil
    /// The current listen; nil if there is none.
    public var listen: ListenMark? = nil
    /// The position up to which the current item is buffered; nil if not known, as for a file.
    public var buffered: Milliseconds? = nil
    /// A problem that does not stop the room, such as that another output than the chosen one is used; nil if there is
    /// none.
    public var notice: LunaraError? = nil
    /// The time when the room tries again, in the state `error`; nil if a person has to act.
    public var retriesAt: Timestamp? = nil
    /// The reason why the room paused by itself: `sleep` (of its host) or `output` (it is gone, or headphones were
    /// pulled); nil if it did not. The room resumes when that is over, unless a person acted meanwhile or the output
    /// was away for more than 10 s. A reader treats an unknown word as an ordinary pause.
    public var interruption: String? = nil
    /// The title that people gave the room, by which it is shown instead of its name; nil if it has none, and from an
    /// older room.
    public var title: String? = nil
    /// The name of the plugin that gives the sound of the current item; nil for music of the library.
    public var plugin: String? = nil
    /// True if only a preview of the current item is played, which counts as no listen; nil for the whole track.
    public var isPreview: Bool? = nil
  }

  /// The part of the queue around its current item; `ReadQueue` reads the other parts.
  public struct QueueState: State, Hashable {
    public static let kind = "playback.queue"
    /// True: a room that replaces this one continues with this queue.
    public static let isKept = true
    /// The revision, which grows with every change of the queue.
    public var revision: Int64
    /// The number of items in the whole queue.
    public var count: Int
    /// The index of the current item in the whole queue, from 0; nil after the end or if the queue is empty.
    public var current: Int?
    /// The index at which the room starts if nothing is current: that of the stopped item, or of the first item that
    /// was queued after the end. nil while an item is current, and if nothing is left to play.
    public var nextIndex: Int? = nil
    /// The index of `items[0]` in the whole queue.
    public var first: Int
    /// The items around the current one, at most 50.
    public var items: [QueueItem]
    /// The continuation of the queue; nil if it has none.
    public var continuation: Continuation? = nil
    /// True if the next albums of the continuation have to be appended, as the last item plays or, unless the queue is
    /// shuffled, an item of the album that was queued last.
    public var wantsMore: Bool? = nil
    /// The move to another room that has begun; nil if there is none.
    public var moving: Moving? = nil
    /// Numbers by which the items are ordered when shuffling is undone, one for each of `items`. Only in answers to
    /// `ReadQueue`, and only if the queue is shuffled.
    public var homes: [Int64]? = nil
    /// The places of the audio of each of `items`. Only in answers to a `ReadQueue` with `wantsAudio`. Since 0.3.
    public var audio: [AudioPlace]? = nil
  }

  /// The place of an item's audio, as a room finds it.
  public enum AudioPlace: String, TolerantName {
    /// A file on the room's machine.
    case here
    /// The room's copy of an album that it keeps offline.
    case kept
    /// A copy that the room has fetched in advance.
    case fetched
    /// Another machine, a server or a plugin.
    case away
    case unknown
  }
}

extension Playback {
  /// The data in all facts of a listen: sufficient to scrobble it without any other process.
  public struct ListenSubject: Codable, Hashable, Sendable {
    /// The listen's id, which is the key of all effects of its facts.
    public var listen: ListenID
    /// The room it was heard in.
    public var room: RoomName
    /// The item that was heard.
    public var item: QueueItem
    /// The time when it began.
    public var startedAt: Timestamp
    /// The name of the output on which it began, as in `OutputState.used`; nil if not known.
    public var device: String? = nil
  }

  /// A listen has begun: sound of the track reached the output.
  public struct ListenStarted: Fact {
    public static let kind = "playback.listen-started"
    /// Listens survive a power cut.
    public static let survives = Durability.power
    /// The listen.
    public var subject: ListenSubject
  }

  /// The progress of a listen; stored after every 30 s of sound, and at pause, seek and end.
  public struct ListenHeard: Fact {
    public static let kind = "playback.listen-heard"
    /// Listens survive a power cut.
    public static let survives = Durability.power
    /// The listen.
    public var subject: ListenSubject
    /// The total media time that has reached the output, without the parts that were skipped by seeking. Never
    /// decreases.
    public var heard: Milliseconds
  }

  /// A listen has ended.
  public struct ListenEnded: Fact {
    public static let kind = "playback.listen-ended"
    /// Listens survive a power cut.
    public static let survives = Durability.power
    /// The listen.
    public var subject: ListenSubject
    /// The total media time heard.
    public var heard: Milliseconds
    /// The reason why it ended.
    public var reason: EndReason
  }

  /// The reasons why a listen ends.
  public enum EndReason: String, TolerantName {
    /// The track played to its end.
    case finished
    /// A person chose another track, or stopped.
    case skipped
    /// The audio could not be played further.
    case failed
    case unknown
  }

  /// A track could not be played. It was skipped, or after three in a row the room was stopped.
  public struct TrackFailed: Fact {
    public static let kind = "playback.track-failed"
    /// It may be lost in a power cut, as it only informs people.
    public static let survives = Durability.process
    /// The room.
    public var room: RoomName
    /// The item that could not be played.
    public var item: QueueItem
    /// The reason.
    public var error: LunaraError
  }
}

extension Playback.RoomState {
  /// Returns the present position in the current track. The position is older than the state that contains it, and the
  /// state is older than its arrival: both times are added while sound flows.
  ///
  /// - Parameters:
  ///   - saidAt: the time when the room published this state, by its own clock, as `position.takenAt` is.
  ///   - age: the time since then.
  /// - Returns: the position, at most the duration of the track.
  public func position(saidAt: Timestamp, age: Milliseconds) -> Milliseconds {
    position.after(
      max(.zero, saidAt - position.takenAt) + max(.zero, age), upTo: duration ?? item?.track.duration)
  }

  /// Returns the use of the room, for the choice of the room that a person means.
  ///
  /// - Parameters:
  ///   - saidAt: the time when the room published this state, by its own clock.
  ///   - age: the time since then.
  public func use(saidAt: Timestamp, age: Milliseconds) -> RoomUse {
    // A room that never played has the position of the year 1970.
    let wasUsed = position.takenAt > Timestamp(seconds: 0)
    return RoomUse(
      isPlaying: state == .playing || state == .buffering,
      sinceUsed: wasUsed ? max(.zero, saidAt - position.takenAt) + max(.zero, age) : nil)
  }
}
