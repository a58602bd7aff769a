import Glibc
import Model
import MusicTags
import Records

/// An event in a watched folder, as the kernel reports it (inotify(7)).
struct FolderEvent: Equatable {
  /// The watch descriptor; -1 where events were lost.
  var watch: Int32
  var mask: UInt32
  /// The name of the entry in the folder that changed; empty for the folder itself.
  var name: [UInt8]

  /// The events to report. They do not include reads and single writes: a written file counts when it is closed.
  static let asked =
    UInt32(IN_CLOSE_WRITE) | UInt32(IN_CREATE) | UInt32(IN_DELETE) | UInt32(IN_MOVED_FROM) | UInt32(IN_MOVED_TO)
    | UInt32(IN_ATTRIB) | UInt32(IN_DELETE_SELF) | UInt32(IN_MOVE_SELF) | UInt32(IN_ONLYDIR)

  enum Meaning: Equatable {
    case nothing
    /// A file in the folder, or the folder itself, has changed.
    case change
    /// The subfolder of that name came, went or got other rights, or the rules for everything in the folder changed.
    case changeBelow
    /// Events were lost, or a disk is away.
    case loss
    /// A file was created and may still be written; only a link is complete at once.
    case creation
    /// The folder is not watched any more.
    case end
  }

  var meaning: Meaning {
    if has(IN_Q_OVERFLOW) || has(IN_UNMOUNT) { return .loss }
    if has(IN_IGNORED) { return .end }
    if name.isEmpty { return has(IN_DELETE_SELF) || has(IN_MOVE_SELF) ? .changeBelow : .nothing }
    if IgnoreFile(name: name) != nil { return .changeBelow }
    if FileName.isPassedOver(name) { return .nothing }
    if has(IN_ISDIR) { return .changeBelow }
    guard
      AudioFormat.reader(fileName: name) != nil || CueSheet.isName(name) || ScannedList.isName(name)
        || LyricsFile.isName(name) || Cover.isPicture(name)
    else {
      // A new name without an ending may be a link to a folder.
      return has(IN_CREATE) && FileName.ending(name) == nil ? .creation : .nothing
    }
    return has(IN_CREATE) ? .creation : .change
  }

  /// Returns the folder that changed with everything below it, in the case `changeBelow`.
  func changedBelow(_ folder: [UInt8]) -> [UInt8] {
    has(IN_ISDIR) && !name.isEmpty ? FilePath.join(folder, name) : folder
  }

  private func has(_ bit: some BinaryInteger) -> Bool { mask & UInt32(truncatingIfNeeded: bit) != 0 }

  /// Reads events in the kernel's layout: 16 bytes, of which the last four are the length of the padded name that
  /// follows.
  static func events(_ bytes: UnsafeRawBufferPointer) -> [FolderEvent] {
    var (events, place): ([FolderEvent], Int) = ([], 0)
    while place + headLength <= bytes.count {
      let length = Int(bytes.loadUnaligned(fromByteOffset: place + 12, as: UInt32.self))
      guard length <= bytes.count - place - headLength else { break }
      let start = place + headLength
      events.append(
        FolderEvent(
          watch: bytes.loadUnaligned(fromByteOffset: place, as: Int32.self),
          mask: bytes.loadUnaligned(fromByteOffset: place + 4, as: UInt32.self),
          name: bytes[start..<(start + length)].prefix { $0 != 0 }.map { $0 }))
      place = start + length
    }
    return events
  }

  private static let headLength = 16
}
