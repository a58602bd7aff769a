import Messages
import Model

/// Finds the listens in JSON of any size and any of the known shapes: lines, lists, pages of lists, and objects that
/// hold a list.
///
/// An object counts as a listen if it stands alone or in a list, innermost first; an object that contains a listen does
/// not count. Only open objects are kept in memory.
struct ListenJSONScanner {
  private struct Frame {
    var isObject: Bool
    /// The place of its first byte in the file, and the line of that.
    var start: Int
    var line: Int
    /// True for an object that may be a listen.
    var isCandidate: Bool
  }

  /// The largest size of an object that is read, in bytes, far above that of the largest listen.
  private static let largestObject = 256 * 1024

  private(set) var leftOut = ListenReader.LeftOut()
  private var frames: [Frame] = []
  /// The bytes from the start of the first open candidate on, and the place of the first of them.
  private var kept: [UInt8] = []
  private var base = 0
  private var line = 1
  private var isInString = false
  private var isEscaped = false
  /// True after text that is not JSON, up to the end of the line.
  private var isSkipping = false

  /// The line at which the outermost open value begins; nil if none is open.
  var openLine: Int? { frames.first?.line }

  /// Returns the listens that end in some more bytes of the file.
  mutating func listens(in bytes: [UInt8]) -> [Scrobble.ImportedListen] {
    var found: [Scrobble.ImportedListen] = []
    let first = base + kept.count
    kept += bytes
    for (offset, byte) in bytes.enumerated() {
      if byte == UInt8(ascii: "\n") {
        line += 1
        isSkipping = false
      }
      if isSkipping { continue }
      if isInString {
        if isEscaped {
          isEscaped = false
        } else if byte == UInt8(ascii: "\\") {
          isEscaped = true
        } else if byte == UInt8(ascii: "\"") {
          isInString = false
        }
        continue
      }
      switch byte {
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        let isObject = byte == UInt8(ascii: "{")
        frames.append(
          Frame(
            isObject: isObject, start: first + offset, line: line,
            isCandidate: isObject && frames.last?.isObject != true))
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        close(isObject: byte == UInt8(ascii: "}"), at: first + offset, &found)
      case UInt8(ascii: "\"") where !frames.isEmpty: isInString = true
      case UInt8(ascii: ","), 0...32: break
      default:
        // Between objects nothing else can stand.
        if frames.isEmpty { skip() }
      }
    }
    trim()
    return found
  }

  private mutating func skip() {
    leftOut.add(line: line)
    isSkipping = true
  }

  private mutating func close(isObject: Bool, at end: Int, _ found: inout [Scrobble.ImportedListen]) {
    guard let frame = frames.popLast(), frame.isObject == isObject else {
      frames = []
      return skip()
    }
    guard frame.isCandidate else { return }
    guard end - frame.start < Self.largestObject else { return leftOut.add(line: frame.line) }
    // Text that is not JSON counts, too.
    let reading =
      JSONView(Array(kept[(frame.start - base)...(end - base)])).map(ListenJSON.read) ?? ListenReading.incomplete
    switch reading {
    case .listen(let listen):
      found.append(listen)
      for index in frames.indices { frames[index].isCandidate = false }
    case .incomplete: leftOut.add(line: frame.line)
    case .other: break
    }
  }

  /// Drops bytes that no open candidate needs, and candidates that are too large.
  private mutating func trim() {
    let end = base + kept.count
    for index in frames.indices where end - frames[index].start > Self.largestObject {
      frames[index].isCandidate = false
    }
    let start = frames.first(where: \.isCandidate)?.start ?? end
    kept.removeFirst(start - base)
    base = start
  }
}
