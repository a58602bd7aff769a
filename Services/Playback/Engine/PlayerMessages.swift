import Messages
import Model

/// An event of libmpv, copied out of its memory.
enum PlayerSignal: Hashable, Sendable {
  /// A file was added to the list under this number; nil where the command was refused. `mark` is the command's.
  case added(mark: UInt64, entry: Int64?)
  case started(entry: Int64)
  /// Playback begins or goes on after an opening or a jump.
  case restarted
  /// The position that was asked for with `mark`; nil where there is none at the moment.
  case position(mark: UInt64, seconds: Double?)
  /// A file is about to be closed; the position is its end as far as it was decoded, nil where nothing was.
  case unloading(end: Double?)
  case ended(entry: Int64, Ending)
  /// Nothing is left in the list, and the output has run dry.
  case idle
  /// Playback holds because data is missing, or no longer does.
  case starving(Bool)
  /// The length of the open file; nil where unknown.
  case duration(seconds: Double?)
  /// The position up to which the open file is buffered; nil where unknown.
  case cached(seconds: Double?)
  /// The driver of the output that is open; nil where none is.
  case output(driver: String?)
  case devices([Playback.OutputDevice], names: Set<String>)
  /// The core has ended by itself.
  case shutdown

  /// The reason for which a file was closed (`mpv_end_file_reason`, `mpv_error`).
  enum Ending: Hashable, Sendable {
    /// No data is left, whether it was whole or cut.
    case endOfFile
    /// A command closed it.
    case stopped
    /// Its stream was opened and broke before anything of it was played.
    case cut
    /// It was no audio but a list of other files.
    case redirected
    case unopenable
    /// It is in no format that can be played.
    case unplayable
    /// It is a stream, and this failure kept it from being opened or read.
    case streamFailed(StreamFailure)
    case noOutput
  }
}

/// A command for libmpv.
enum PlayerCommand: Hashable, Sendable {
  /// Puts a file into the list: in place of all, or at its end.
  case load(Cue, append: Bool, mark: UInt64)
  /// Empties the list but for the file that is open.
  case clearPrepared
  /// Closes everything.
  case stop
  case pause(Bool)
  case seek(Milliseconds)
  /// Goes to the file that is next in the list, unless it is there already.
  case next
  /// Sets the volume, in percent.
  case volume(Double)
  case mute(Bool)
  case askPosition(mark: UInt64)
}
