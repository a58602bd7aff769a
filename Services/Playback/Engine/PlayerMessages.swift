import Messages
import Model

/// An event of libmpv, copied from its memory.
enum PlayerSignal: Hashable, Sendable {
  /// A file was added to the list as this entry; nil if the command was refused. `mark` is the command's.
  case added(mark: UInt64, entry: Int64?)
  case started(entry: Int64)
  /// Playback starts or continues, after a file was opened or a jump.
  case restarted
  /// The answer to the request for the position with this mark; nil if there is no position at the moment.
  case position(mark: UInt64, seconds: Double?)
  /// A file is about to be closed; `end` is the position up to which it was decoded, nil if nothing was.
  case unloading(end: Double?)
  case ended(entry: Int64, Ending)
  /// Nothing is left in the list, and all sound has been played.
  case idle
  /// Playback has stopped because data is missing, or data is no longer missing.
  case starving(Bool)
  /// The length of the open file; nil if unknown.
  case duration(seconds: Double?)
  /// The position up to which the open file is buffered; nil if unknown.
  case cached(seconds: Double?)
  /// The driver of the open output; nil if none is open.
  case output(driver: String?)
  case devices([Playback.OutputDevice], names: Set<String>)
  /// The core has ended by itself.
  case shutdown

  /// The reason why a file was closed (`mpv_end_file_reason`, `mpv_error`).
  enum Ending: Hashable, Sendable {
    /// No data is left; the file may be complete or cut.
    case endOfFile
    /// A command closed the file.
    case stopped
    /// The stream was opened, but broke before anything of it was played.
    case cut
    /// The file was not audio but a list of other files.
    case redirected
    case unopenable
    /// The file is in no format that can be played.
    case unplayable
    /// The file or stream could not be opened or read because of this failure.
    case inputFailed(InputFailure)
    case noOutput
  }
}

/// A command for libmpv.
enum PlayerCommand: Hashable, Sendable {
  /// Adds a file to the list, or replaces the whole list by it.
  case load(Cue, append: Bool, mark: UInt64)
  /// Removes all files from the list except the open one.
  case clearPrepared
  /// Closes all files.
  case stop
  case pause(Bool)
  /// Jumps to a position in this cue, which is in the open file.
  case seek(Cue, to: Milliseconds)
  /// Moves the end of the open file to that of this cue.
  case end(Cue)
  /// Goes to the next file in the list, if there is one.
  case next
  /// Sets the volume, in percent.
  case volume(Double)
  case mute(Bool)
  case askPosition(mark: UInt64)
}
