import Messages
import Model

/// Names one playing of one file. A file that is started again is another cue, so that late news of the old one are
/// known as such.
struct CueID: Hashable, Sendable {
  var number: UInt64
}

/// What the engine is given to play: where it lies and where to begin.
struct Cue: Hashable, Sendable {
  var id: CueID
  var locator: Library.Locator
  var start: Milliseconds
  /// What its level is changed by, in dB; nil leaves every sample as it is. `Levelling.gain` works it out.
  var gain: Double?

  /// Whether it comes over the network.
  var isStream: Bool {
    switch locator {
    case .url: true
    case .file: false
    }
  }
}

/// Makes sound. Commands return at once and take effect in order; what comes of them is reported.
protocol Engine: Sendable {
  /// How media time passes on this engine's output.
  var pace: Pace { get }
  /// What happens, in order. To be read by one reader.
  var reports: AsyncStream<EngineReport> { get }
  /// Gives a command.
  func send(_ command: EngineCommand)
  /// Ends the sound and the reports.
  func close() async
}

/// How media time passes on an output.
enum Pace: Hashable, Sendable {
  /// So many media seconds a second.
  case steady(Double)
  /// As fast as the output takes it, as when writing a file.
  case free

  /// Media seconds a second, for those who extrapolate; 0 where nobody can.
  var rate: Double {
    switch self {
    case .steady(let rate): rate
    case .free: 0
    }
  }
}

/// What an engine can be told.
enum EngineCommand: Hashable, Sendable {
  /// Plays this now, in place of everything else.
  case play(Cue, paused: Bool)
  /// Prepares this to follow without a gap, in place of what was prepared before.
  case prepare(Cue?)
  /// Holds the sound, or lets it flow.
  case pause(Bool)
  /// Jumps within what is heard; the cue says what the caller thinks that is.
  case seek(CueID, to: Milliseconds)
  /// Ends the sound and lets go of the device.
  case stop
  /// Brings the volume to so many percent within a time; zero is at once. What lies outside 0 to 100 is the nearest.
  case volume(Int, over: Milliseconds)
  /// Lets no sound through, or lets it through again; time passes the same.
  case mute(Bool)
  /// Sends the sound to the device of this name from now on; nil as `LUNARA_AUDIO` says.
  case output(String?)
  /// Asks for the devices there are; `devices` answers, here and whenever they change while the player is loaded.
  case listDevices
}

extension EngineCommand {
  /// Whether it opens the output, as one that is held does as well, or lets sound flow that did not before.
  var needsOutput: Bool {
    switch self {
    case .play, .pause(false): true
    default: false
    }
  }
}

/// What an engine reports: an event and when it happened.
struct EngineReport: Hashable, Sendable {
  var event: EngineEvent
  var at: MonotonicTime
}

/// What can happen while playing. Positions are those of the ear: what still waits in the output's buffer has not been
/// heard.
enum EngineEvent: Hashable, Sendable {
  /// The prepared cue is being decoded, so another one can be prepared.
  case decoding(CueID)
  /// How long the cue is, as far as the decoder knows.
  case duration(CueID, Milliseconds)
  /// The cue is now the one that is heard, or would be if the sound were not held.
  case began(CueID)
  /// Sound flows from this position on.
  case flowing(CueID, Milliseconds)
  /// Sound has flowed without a break up to this position.
  case position(CueID, Milliseconds)
  /// Sound has flowed up to this position and holds: for a pause, a jump, or want of data.
  case halted(CueID, Milliseconds, Halt)
  /// All there was of the cue has been heard, up to this position.
  case ended(CueID, Milliseconds)
  /// The cue is opened once more for a jump, and what was prepared or decoded after it is forgotten.
  case reopened(CueID)
  /// The cue could not be played, or not on.
  case failed(CueID, LunaraError)
  /// The output could not be opened. The sound has ended.
  case outputFailed(LunaraError)
  /// The output that played is gone and there was nothing to go on with: the sound is held, as by a pause.
  case outputLost(LunaraError)
  /// The output that sound goes to, nil where none is open; with trouble where it is not the one that was chosen.
  case output(used: String?, trouble: LunaraError?)
  /// The outputs there are.
  case devices([Playback.OutputDevice])
  /// Up to where the cue's sound is there already, whatever becomes of its stream. Only of streams.
  case buffered(CueID, upTo: Milliseconds)
  /// Nothing is left to play; the cue given, if any, was prepared too late to start by itself.
  case exhausted(CueID?)
}

/// Why sound holds.
enum Halt: Hashable, Sendable {
  /// A command asked for it.
  case pause
  /// A jump is under way.
  case seek
  /// Data is missing.
  case starved
}
