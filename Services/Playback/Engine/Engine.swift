import Messages
import Model
import System

/// The id of one playing of one file. If the file is played again, it has another id, so that late events can be
/// recognised.
struct CueID: Hashable, Codable, Sendable {
  var number: UInt64
}

struct Cue: Hashable, Codable, Sendable {
  var id: CueID
  var locator: Library.Locator
  var start: Milliseconds
  /// The gain in dB, as `Levelling.gain` returns it; nil leaves the samples unchanged.
  var gain: Double?
  /// The open file of the locator, or the reason why it could not be opened; nil if the player has to open it.
  var file: CueFile?

  private enum CodingKeys: CodingKey { case id, locator, start, gain }

  var isStream: Bool { if case .url = locator { true } else { false } }
}

/// A cue that is a segment of a file. All positions in a cue count from the start of its segment.
extension Cue {
  /// The position of the segment in its file.
  var offset: Milliseconds { locator.segment?.offset ?? .zero }

  /// The length of the segment; nil if it ends with the file.
  var length: Milliseconds? { locator.segment?.length }

  /// Returns true if this cue follows another one in the same file with the same gain, so that a player which plays on
  /// plays this cue.
  func continues(_ other: Cue) -> Bool {
    guard start == .zero, gain == other.gain, let segment = locator.segment, let former = other.locator.segment,
      segment.follows(former)
    else { return false }
    let isOneFile = segment.file != nil && segment.file == former.file
    switch (locator, other.locator) {
    case (.file(let path, _), .file(let former, _)): return isOneFile || path == former
    case (.url(let url, _, _, _, _), .url(let former, _, _, _, _)): return isOneFile || url == former
    default: return false
    }
  }
}

/// A file that was opened for a cue. It does not count when cues are compared.
struct CueFile: Hashable, Sendable {
  private let result: Result<Descriptor, LunaraError>

  init(_ result: Result<Descriptor, LunaraError>) { self.result = result }

  func get() throws(LunaraError) -> Descriptor { try result.get() }

  static func == (left: CueFile, right: CueFile) -> Bool { true }

  func hash(into hasher: inout Hasher) {}
}

/// An engine that plays sound. Commands return at once and take effect in order; their effects are reported.
protocol Engine: Sendable {
  var pace: Pace { get }
  /// The events, in order. Only one reader may read them.
  var reports: AsyncStream<EngineReport> { get }
  func send(_ command: EngineCommand)
  func close() async
}

enum EngineCommand: Hashable, Codable, Sendable {
  /// Plays a cue now, in place of everything else.
  case play(Cue, paused: Bool)
  /// Prepares a cue that follows without a gap, in place of the one that was prepared before; nil prepares none.
  case prepare(Cue?)
  /// Pauses the sound, or continues it.
  case pause(Bool)
  /// Jumps within the audible cue; ignored if another cue is audible.
  case seek(CueID, to: Milliseconds)
  /// Ends the sound and closes the output.
  case stop
  /// Changes the volume gradually to a percentage within a time; zero changes it at once. Values outside 0 to 100
  /// become the nearest one.
  case volume(Int, over: Milliseconds)
  /// Mutes the sound, or unmutes it; a muted track plays on.
  case mute(Bool)
  /// Sends the sound to the device with this name; nil for the output that `LUNARA_AUDIO` chooses.
  case output(String?)
  /// Asks for the list of devices. The engine reports `devices`, now and whenever they change while the player is
  /// loaded.
  case listDevices

  /// True if the command may open the output, or start sound: `play`, even of a paused cue, and `pause(false)`.
  var needsOutput: Bool { if case .play = self { true } else { self == .pause(false) } }

  /// True if the command needs a player even if nothing plays.
  var startsPlayer: Bool { if case .play = self { true } else { self == .listDevices } }
}

struct EngineReport: Hashable, Codable, Sendable {
  var event: EngineEvent
  var at: MonotonicTime
}

/// An event of an engine. Positions are audible ones: sound in the output's buffer has not been heard yet.
enum EngineEvent: Hashable, Codable, Sendable {
  /// The player has left what it played before, and opens the cue of the last `play`.
  case opening(CueID)
  /// The prepared cue is being decoded, so another one can be prepared.
  case decoding(CueID)
  /// The length of the cue, as far as the decoder knows it.
  case duration(CueID, Milliseconds)
  /// The cue is now the audible one, or would be if the sound was not paused.
  case began(CueID)
  /// Sound flows from this position on.
  case flowing(CueID, Milliseconds)
  /// Sound has flowed without a break up to this position.
  case position(CueID, Milliseconds)
  /// Sound has flowed up to this position and has stopped there: for a pause, for a jump, or because data is missing.
  case halted(CueID, Milliseconds, HoldReason)
  /// The cue has been heard to its end, at this position.
  case ended(CueID, Milliseconds)
  /// The cue is opened again for a jump; a prepared or decoded cue after it is dropped.
  case reopened(CueID)
  case failed(CueID, LunaraError)
  /// The output could not be opened. The sound has ended.
  case outputFailed(LunaraError)
  /// The output that was used is gone, and there was no other one: the sound is paused.
  case outputLost(LunaraError)
  /// The output in use, nil if none is open; `problem` says why another one than the chosen one is used.
  case output(used: String?, problem: LunaraError?)
  case devices([Playback.OutputDevice])
  /// The position up to which the cue is buffered, and can be played even if the stream breaks. Reported only for
  /// streams.
  case buffered(CueID, upTo: Milliseconds)
  /// Nothing is left to play. The given cue, if any, was prepared too late to start by itself.
  case exhausted(CueID?)
}

/// The reason why sound has stopped.
enum HoldReason: String, Codable, Hashable, Sendable {
  case pause
  case seek
  /// Data is missing.
  case starved
}
