public import Model

/// The requests that a room answers.
extension Playback {
  /// The place in the queue for loaded items.
  public enum LoadMode: String, Codable, Sendable {
    /// Replace the queue and start playing.
    case now
    /// After the current item; starts playing if the room is idle.
    case next
    /// At the end; does not start playing.
    case later
  }

  /// Adds items to the queue, in parts of at most 100 with the same `load` id; they take effect with the last part.
  public struct Load: CommandRequest {
    public static let kind = "playback.load"
    /// The queue after the load; refused with `playback.stopping`, `playback.nothingToLoad`, `playback.badSetting`,
    /// `playback.loadIncomplete`, `playback.loadTooLarge`, `playback.itemTooLarge`, `playback.queueFull`,
    /// `playback.notStored`.
    public typealias Answer = QueueSummary
    /// The id of the load that the part belongs to.
    public var load: String
    /// The index of this part, from 0; parts arrive in order.
    public var part: Int = 0
    /// True if this part completes the load.
    public var isLast: Bool = true
    /// The place in the queue for the items.
    public var mode: LoadMode
    /// The items of this part.
    public var items: [QueueItem]
    /// The index among all loaded items of the one to start with; used with `.now`. If the order is shuffled, that item
    /// comes first, except for 0, with which the first item is random.
    public var startAt: Int = 0
    /// The continuation of the queue, for `.now`; nil for none.
    public var continuation: Continuation? = nil
    /// The order in which the room shall play the items, for `.now`; nil for the order in which they are sent. The room
    /// does the shuffling, so that it can be undone.
    public var order: Order? = nil
    /// The seed for shuffling by `order`.
    public var seed: UInt64? = nil
  }

  /// The queue after a command.
  public struct QueueSummary: Codable, Hashable, Sendable {
    /// The queue's revision.
    public var revision: Int64
    /// The number of items in the queue.
    public var count: Int
    /// The current index; nil if no item is current.
    public var current: Int?
  }

  /// A transport command. Commands are idempotent: pausing a paused room changes nothing.
  public struct Transport: CommandRequest {
    public static let kind = "playback.transport"
    /// The room's state after the command took effect; refused with `playback.stopping`, `playback.nothingCurrent`,
    /// `playback.noSuchItem`, `playback.badSetting`, `playback.notStored`.
    public typealias Answer = RoomState
    /// The action.
    public var action: Action

    public init(_ action: Action) { self.action = action }

    /// The actions of the transport.
    public enum Action: Hashable, Sendable {
      /// Resumes from pause; no effect while playing. If nothing is current it starts the stopped track, else what was
      /// queued since the end, else the first item.
      case resume
      /// Pauses; no effect unless the room plays or buffers.
      case pause
      case toggle
      /// Goes to the next item; after the last one the queue ends.
      case next
      /// Restarts the item if its position is beyond 3 s or it is the first one; else goes to the previous item.
      case previous
      /// Stops the sound; the queue is kept, but no item is current.
      case stop
      /// Jumps to a position in the current item. If an entry is given that is no longer current, nothing happens, as
      /// the command was meant for another track.
      case seek(to: Milliseconds, of: EntryID? = nil)
      /// Jumps by an offset, at most back to the start of the item; a position beyond its end is the next item.
      case skip(by: Milliseconds)
      /// Sets the volume, in percent from 0 to 100.
      case volume(Int)
      /// Plays the item at an index; if an entry is given, that entry, wherever it is by now.
      case jump(to: Int, of: EntryID? = nil)
      /// Mutes the sound, or unmutes it.
      case mute(Bool)
      /// Sets the repeat mode.
      case repeats(Repeat)
      /// Sets or clears the mode that stops the room after the current item.
      case stopAfterCurrent(Bool)
      /// Sets or clears the mode that stops the room after the album of the current item. Since 0.2.
      case stopAfterAlbum(Bool)
      /// Starts the timer after which the room fades out and pauses; nil stops the timer.
      case sleep(after: Milliseconds?)
    }
  }

  /// Reads a part of the queue.
  public struct ReadQueue: ReadRequest {
    public static let kind = "playback.read-queue"
    /// The requested part, with revision, count and current index.
    public typealias Answer = QueueState
    /// The first index of the part, from 0.
    public var first: Int = 0
    /// The largest number of items; at most 100.
    public var limit: Int = 100
    /// True to have the places of the items' audio in the answer; nil for false. Since 0.3.
    public var wantsAudio: Bool? = nil
  }

  /// Edits the queue.
  public struct EditQueue: CommandRequest {
    public static let kind = "playback.edit-queue"
    /// The queue after the change; refused with `playback.stopping`, `playback.noSuchItem`, `playback.badSetting`,
    /// `playback.noFormerQueue`, `playback.nothingToContinue`, `playback.notStored`, `playback.queueMoved`.
    public typealias Answer = QueueSummary
    /// The edit.
    public var edit: Edit

    public init(_ edit: Edit) { self.edit = edit }

    /// A change of the queue.
    public enum Edit: Hashable, Sendable {
      /// Removes all items and stops.
      case clear
      /// Removes the item at an index; if an entry is given, that entry, wherever it is by now.
      case remove(at: Int, of: EntryID? = nil)
      /// Removes the items at several indices of the queue with this revision, as one change that `restore` undoes;
      /// refused with `playback.queueMoved` if the queue has another revision by now. Since 0.3.
      case removeAll(at: [IndexRange], revision: Int64)
      /// Moves the item at an index to another index; if an entry is given, that entry, wherever it is by now.
      case move(from: Int, to: Int, of: EntryID? = nil)
      /// Shuffles the queue, or undoes that. The current item stays current, and comes first if the queue is shuffled.
      /// The same seed gives the same order of the same queue.
      case order(Order, seed: UInt64)
      /// Removes all items of these tracks, which no longer exist. If the current item is removed while it plays, the
      /// next remaining one is started.
      case forget([TrackID])
      /// Brings back the queue that was cleared or replaced last, by a load or a move, at its former position, in
      /// exchange for the present one: a second restoring undoes the first.
      case restore
      /// Continues the queue after its last item, in its list or else with all albums by name; or ends it there,
      /// which removes the items with which it continued, except those of the album that plays. Since 0.2.
      case continues(Bool)
      /// Gives all items of these tracks what the library now says of them. The queue keeps its revision. Since 0.2.
      case renew([Track])
    }

    /// Indices of a queue that follow each other.
    public struct IndexRange: Codable, Hashable, Sendable {
      /// The first index, from 0.
      public var from: Int
      /// The last index.
      public var to: Int
    }
  }
}

extension Playback {
  /// The list of albums with which the queue continues. The room stores it and does not interpret it.
  public struct Continuation: Codable, Hashable, Sendable {
    /// The list.
    public var list: Library.AlbumList
    /// The last album of the list that was queued; the albums after it come next.
    public var after: AlbumID
    /// The number of appends so far, by which an append that was decided on earlier is refused.
    public var position: Int64 = 0
    /// True if the queue ends after its last item: the list is only kept, until a person lets the queue continue. nil
    /// and false let it continue. Since 0.2.
    public var isOff: Bool? = nil
    /// The album after which the first append began; nil before it. Since 0.2.
    public var start: AlbumID? = nil

    /// The number of albums that are appended at once.
    public var batch: Int { list.wall == nil ? 4 : 5 }
  }

  /// Appends the next albums of the continuation to a queue; refused with `playback.queueMoved` if the queue or the
  /// continuation has changed. The parts are those of `Load`.
  public struct Append: CommandRequest {
    public static let kind = "playback.append"
    /// The queue afterwards. It is refused as `Load` is, too.
    public typealias Answer = QueueSummary
    /// The id of the append that the parts belong to, as in `Load`.
    public var load: String
    /// The index of this part, from 0; parts arrive in order.
    public var part: Int = 0
    /// True if this part completes the append.
    public var isLast: Bool = true
    /// The items of this part, at most 100; empty in the only part of an append that ends the continuation.
    public var items: [QueueItem]
    /// The revision of the queue on which the append is based.
    public var revision: Int64
    /// The position of the continuation on which the append is based.
    public var position: Int64
    /// The last album of the list that is queued afterwards; nil if the list has no more, with which the continuation
    /// ends.
    public var after: AlbumID?
  }
}
