import Messages
import Model

/// Identifies one playing of one file. One that is started again is another cue, so late events are recognised.
struct CueID: Hashable, Sendable {
  var number: UInt64
}

struct Cue: Hashable, Sendable {
  var id: CueID
  var locator: Library.Locator
  var start: Milliseconds
  /// The gain in dB, as `Levelling.gain` returns it; nil leaves every sample as it is.
  var gain: Double?

  var isStream: Bool { if case .url = locator { true } else { false } }
}

/// Plays sound. Commands return at once and take effect in order; their effects are reported.
protocol Engine: Sendable {
  var pace: Pace { get }
  /// The events, in order. For one reader.
  var reports: AsyncStream<EngineReport> { get }
  func send(_ command: EngineCommand)
  func close() async
}

enum EngineCommand: Hashable, Sendable {
  /// Plays this now, in place of everything else.
  case play(Cue, paused: Bool)
  /// Prepares this to follow without a gap, in place of what was prepared before.
  case prepare(Cue?)
  /// Holds the sound, or lets it flow.
  case pause(Bool)
  /// Jumps within the cue that is heard; ignored if that is another one.
  case seek(CueID, to: Milliseconds)
  /// Ends the sound and closes the device.
  case stop
  /// Changes the volume to a percentage within a time; zero is at once. Values outside 0 to 100 become the nearest.
  case volume(Int, over: Milliseconds)
  /// Mutes the sound, or unmutes it; time passes the same.
  case mute(Bool)
  /// Sends the sound to the device of this name from now on; nil as `LUNARA_AUDIO` says.
  case output(String?)
  /// Asks for the devices there are; `devices` answers, here and whenever they change while the player is loaded.
  case listDevices

  /// True if it opens the output, even for a cue that is held, or lets sound flow that did not before.
  var needsOutput: Bool { if case .play = self { true } else { self == .pause(false) } }

  /// True if it needs a player even where nothing plays.
  var startsPlayer: Bool { if case .play = self { true } else { self == .listDevices } }
}

struct EngineReport: Hashable, Sendable {
  var event: EngineEvent
  var at: MonotonicTime
}

/// An event of an engine. Positions are those that are audible: what still waits in
/// the output's buffer has not been heard.
enum EngineEvent: Hashable, Sendable {
  /// The prepared cue is being decoded, so another one can be prepared.
  case decoding(CueID)
  /// The length of the cue, as far as the decoder knows.
  case duration(CueID, Milliseconds)
  /// The cue is now the one that is heard, or would be if the sound were not held.
  case began(CueID)
  /// Sound flows from this position on.
  case flowing(CueID, Milliseconds)
  /// Sound has flowed without a break up to this position.
  case position(CueID, Milliseconds)
  /// Sound has flowed up to this position and holds: for a pause, a jump, or want of data.
  case halted(CueID, Milliseconds, HoldReason)
  /// All there was of the cue has been heard, up to this position.
  case ended(CueID, Milliseconds)
  /// The cue is opened once more for a jump, and what was prepared or decoded after it is forgotten.
  case reopened(CueID)
  case failed(CueID, LunaraError)
  /// The output could not be opened. The sound has ended.
  case outputFailed(LunaraError)
  /// The output that played is gone and there was nothing to go on with: the sound is held, as by a pause.
  case outputLost(LunaraError)
  /// The output that sound goes to, nil where none is open; with a problem where it is not the one that was chosen.
  case output(used: String?, problem: LunaraError?)
  case devices([Playback.OutputDevice])
  /// The position up to which the cue is buffered, whatever becomes of its stream. Only for streams.
  case buffered(CueID, upTo: Milliseconds)
  /// Nothing is left to play; the cue given, if any, was prepared too late to start by itself.
  case exhausted(CueID?)
}

/// A reason for which sound holds.
enum HoldReason: Hashable, Sendable {
  case pause
  case seek
  /// Data is missing.
  case starved
}
