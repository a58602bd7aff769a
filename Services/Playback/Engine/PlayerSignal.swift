import Messages

/// What libmpv said, copied out of its event.
enum PlayerSignal: Hashable, Sendable {
  /// A file was added to the list under this number; nil where the command was refused. `mark` is the command's.
  case added(mark: UInt64, entry: Int64?)
  /// A file of the list is being opened.
  case started(entry: Int64)
  /// Playback begins or goes on after an opening or a jump.
  case restarted
  /// The position that was asked for with `mark`; nil where there is none at the moment.
  case position(mark: UInt64, seconds: Double?)
  /// A file is about to be closed; the position is its end as far as it was decoded, nil where nothing was.
  case unloading(end: Double?)
  /// A file was closed.
  case ended(entry: Int64, Ending)
  /// Nothing is left in the list, and the output has run dry.
  case idle
  /// Whether playback holds because data is missing.
  case starving(Bool)
  /// The length of the open file; nil where unknown.
  case duration(seconds: Double?)
  /// Up to where the sound of the open file is there; nil where unknown.
  case cached(seconds: Double?)
  /// The driver of the output that is open; nil where none is.
  case output(driver: String?)
  /// The outputs there are.
  case devices([Playback.OutputDevice], names: Set<String>)
  /// The core has ended by itself.
  case shutdown

  /// Why a file was closed (`mpv_end_file_reason`, `mpv_error`).
  enum Ending: Hashable, Sendable {
    /// No data is left, whether it was whole or cut.
    case endOfFile
    /// A command closed it.
    case stopped
    /// Its stream was opened and broke before anything of it was played.
    case cut
    /// It was no audio but a list of other files.
    case redirected
    /// It cannot be opened.
    case unopenable
    /// It is in no format that can be played.
    case unplayable
    /// It is a stream, and this kept it from being opened or understood.
    case troubled(StreamFailure)
    /// The output cannot be opened.
    case noOutput
  }
}
