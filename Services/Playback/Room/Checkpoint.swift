import Bus
import Messages
import Model
import Storage

/// The state that a room stores in addition to its queue, to continue after a restart.
struct Checkpoint: Hashable, Sendable {
  /// The row of the current item.
  var row: Int64?
  /// The position and heard time, which change continuously.
  var progress = Progress()
  /// The volume in percent.
  var volume = 100
  /// The listen that has not ended, without its heard time.
  var subject: Playback.ListenSubject?
  /// True if sound was wanted, and the service was not asked to end.
  var isPlaying = false
  /// The id of the host's boot in which the checkpoint was stored; nil if it is not known.
  var boot: String?
  /// The last time that the room resumed by itself after a crash; nil for never.
  var resumption: Resumption?
  var repeats = Playback.Repeat.off
  var plannedStop = PlannedStop.never
  var sleepsAt: Timestamp?
  var isMuted = false
  var title: String?
  var output = OutputSettings()
  var leftTracks = LeftTracks()
  /// The time when the room's database was restored from a backup; nil if it never was. The journal has it.
  var restoredAt: Timestamp?

  struct Progress: Hashable, Sendable {
    var position = Milliseconds.zero
    var heard = Milliseconds.zero
    /// The time when both values were taken.
    var takenAt = Timestamp(seconds: 0)
  }

  /// A start at which the room resumed by itself after a crash.
  struct Resumption: Hashable, Sendable {
    /// The row of the item that it resumed.
    var row: Int64
    var date: Timestamp
  }

  /// The time after a crash during which a room may resume by itself.
  static let resumeLimit = Milliseconds(600_000)
  /// The time after a resumption in which another crash at the same item keeps the room paused.
  static let crashLoopLimit = Milliseconds(60_000)

  /// Returns true if a room with this checkpoint resumes the item in `row` by itself: its process crashed while playing
  /// it, in the current boot of the host, and not again at the same item. After a power cut the boot differs, so no
  /// music starts at night; with an unknown boot, none starts either. A restored room waits for a person.
  func resumes(_ row: Int64, at date: Timestamp, in boot: String?) -> Bool {
    guard output.resumesAfterCrash, isPlaying, let boot, boot == self.boot else { return false }
    if let restoredAt, progress.takenAt <= restoredAt { return false }
    if let sleepsAt, sleepsAt <= date { return false }
    guard date - progress.takenAt <= Self.resumeLimit else { return false }
    guard let resumption, resumption.row == row else { return true }
    return date - resumption.date > Self.crashLoopLimit
  }

  var listen: ListenMeter.OpenListen? {
    subject.map { ListenMeter.OpenListen(subject: $0, heard: progress.heard) }
  }
}

/// A fact for the room's journal.
enum RoomFact: Hashable, Sendable {
  case started(Playback.ListenSubject)
  /// The heard time of a listen until now.
  case heard(Playback.ListenSubject, Milliseconds)
  case ended(Playback.ListenSubject, Milliseconds, Playback.EndReason)
  /// A track could not be played.
  case failed(QueueItem, LunaraError)

  func append(to journal: Journal, of room: RoomName, in transaction: Transaction) throws {
    switch self {
    case .started(let subject):
      try journal.append(Playback.ListenStarted(subject: subject), in: transaction)
    case .heard(let subject, let heard):
      try journal.append(Playback.ListenHeard(subject: subject, heard: heard), in: transaction)
    case .ended(let subject, let heard, let reason):
      try journal.append(Playback.ListenEnded(subject: subject, heard: heard, reason: reason), in: transaction)
      try QueueStore.storePlayed(subject, heard, reason, in: transaction)
    case .failed(let item, let error):
      try journal.append(Playback.TrackFailed(room: room, item: item, error: error), in: transaction)
    }
  }
}

/// The output settings of a room, as `Playback.OutputState` explains them.
struct OutputSettings: Hashable, Sendable {
  var device: String?
  var levelling = Playback.Levelling.off
  var preamp = 0.0
  var startVolume: Int?
  var maximumVolume = 100
  var resumesAfterCrash = true
  var resumesLongTracks = false

  /// The largest preamp, positive or negative, in dB.
  static let preampLimit = 15.0

  /// Changes the settings that a request contains; numbers out of range become the nearest valid ones. Throws
  /// `playback.badSetting`.
  mutating func apply(_ request: Playback.SetOutput) throws(LunaraError) {
    if let device = request.device {
      guard !device.isEmpty, device.utf8.count <= 500, !device.contains(where: { $0.isNewline || $0 == "\0" }) else {
        throw LunaraError(
          "playback.badSetting", "There is no output of this name. `lunara output` lists the outputs there are.")
      }
    }
    if request.levelling == .unknown {
      throw LunaraError("playback.badSetting", "Levelling must be off, track, album or smart.")
    }
    if let preamp = request.preamp, !preamp.isFinite {
      throw LunaraError("playback.badSetting", "The preamp must be a number of dB from -15 to 15.")
    }
    if let device = request.device { self.device = device == "auto" ? nil : device }
    if let levelling = request.levelling { self.levelling = levelling }
    if let preamp = request.preamp { self.preamp = max(-Self.preampLimit, min(Self.preampLimit, preamp)) }
    if let maximum = request.maximumVolume { maximumVolume = max(1, min(100, maximum)) }
    if let start = request.startVolume { startVolume = start < 0 ? nil : min(100, start) }
    if let resumes = request.resumesAfterCrash { resumesAfterCrash = resumes }
    if let resumes = request.resumesLongTracks { resumesLongTracks = resumes }
  }
}
