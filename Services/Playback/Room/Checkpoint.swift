import Messages
import Model

/// What a room stores beside its queue, to be found again after a restart.
struct Checkpoint: Hashable, Sendable {
  /// The row of the current item.
  var row: Int64?
  /// How far things have come, which changes all the time.
  var progress = Progress()
  /// The volume in percent.
  var volume = 100
  /// The listen that is not over, but for what was heard.
  var subject: Playback.ListenSubject?
  /// Whether sound was wanted, and the room was not asked to end.
  var isPlaying = false
  /// What follows the end.
  var repeats = Playback.Repeat.off
  /// Whether the room stops when the current item is over.
  var stopsAfterCurrent = false
  /// When the sleep timer pauses the room.
  var sleepsAt: Timestamp?
  /// Whether no sound is let through.
  var isMuted = false
  /// What people call the room.
  var title: String?
  /// How the room sounds.
  var output = OutputSettings()

  /// How far things have come.
  struct Progress: Hashable, Sendable {
    /// Where in the current item.
    var position = Milliseconds.zero
    /// What was heard of the open listen.
    var heard = Milliseconds.zero
    /// When this was so.
    var takenAt = Timestamp(seconds: 0)
  }

  /// The listen that is not over.
  var listen: ListenMeter.OpenListen? {
    subject.map { ListenMeter.OpenListen(subject: $0, heard: progress.heard) }
  }
}

/// The present moment on both clocks.
struct Now: Hashable, Sendable {
  var moment: MonotonicTime
  var date: Timestamp

  /// The same present, `moment` ago.
  func at(_ earlier: MonotonicTime) -> Now { Now(moment: earlier, date: date - (moment - earlier)) }

  /// Reads both clocks.
  static func now() -> Now { Now(moment: .now(), date: .now()) }
}

/// What a room journals.
enum RoomFact: Hashable, Sendable {
  /// Something about a listen.
  case listen(ListenMeter.Report)
  /// A track that could not be played.
  case failed(QueueItem, LunaraError)
}
