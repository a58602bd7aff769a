import CSystemd
import Glibc
import Messages
import Model
import Text

/// Writes log entries: to systemd's journal with fields if standard error is connected to it, else to standard error,
/// one line for each entry, as text or as JSON.
public struct Log: Sendable {
  private enum Level: String, Comparable {
    case debug, info, warning, error

    static func < (left: Level, right: Level) -> Bool { left.priority > right.priority }

    /// The number of the level in syslog and in the journal.
    var priority: Int {
      switch self {
      case .debug: 7
      case .info: 6
      case .warning: 4
      case .error: 3
      }
    }
  }

  private let level: Level
  private let isJSON: Bool
  private let source: String
  private let descriptor: Int32
  private let journal: JournalLog?

  /// Creates a log.
  ///
  /// - Parameters:
  ///   - source: the service's name; only in JSON and in the journal, as `lunara up` adds it to text.
  ///   - name: the second part of the node's name.
  ///   - settings: the settings, of which `LUNARA_LOG` is the level and `LUNARA_LOG_FORMAT` the format.
  ///   - descriptor: the descriptor to write to.
  public init(source: String, name: String = "main", settings: Settings, descriptor: Int32 = 2) {
    level = settings["LUNARA_LOG"].flatMap { Level(rawValue: $0 == "warn" ? "warning" : $0) } ?? .info
    let format = settings["LUNARA_LOG_FORMAT"]
    isJSON = format == "json"
    self.source = source
    self.descriptor = descriptor
    // If a format is set, a person wants to read the log in it, so the journal is not used.
    journal = format == nil ? JournalLog(service: source, name: name, descriptor: descriptor) : nil
  }

  /// A log that writes only errors; for tests.
  public static let quiet = Log(level: .error)

  private init(level: Level) {
    self.level = level
    isJSON = false
    source = ""
    descriptor = 2
    journal = nil
  }

  /// The fields of an event, by name.
  public typealias Fields = KeyValuePairs<String, String>

  /// Logs a detail that helps to find an error.
  public func debug(_ message: String, _ fields: Fields = [:]) { write(.debug, message, fields) }
  /// Logs a normal event.
  public func info(_ message: String, _ fields: Fields = [:]) { write(.info, message, fields) }
  /// Logs a problem that a person may want to fix.
  public func warning(_ message: String, _ fields: Fields = [:]) { write(.warning, message, fields) }
  /// Logs a failure that keeps something from working.
  public func error(_ message: String, _ fields: Fields = [:]) { write(.error, message, fields) }

  /// Logs an error at the level error.
  public func error(_ error: any Error) { write(.error, error) }
  /// Logs an error at the level warning.
  public func warning(_ error: any Error) { write(.warning, error) }

  private func write(_ level: Level, _ error: any Error) {
    let error = LunaraError(error)
    write(level, error.message, error.cause.map { ["code": error.code, "cause": $0] } ?? ["code": error.code])
  }

  private func write(_ level: Level, _ message: String, _ fields: Fields) {
    guard level >= self.level else { return }
    if let journal {
      let pairs = fields.map { (key: $0.key, value: $0.value.withoutUnsafeScalars) }
      if journal.write(Self.plain(message, fields), priority: level.priority, pairs) { return }
    }
    let line = isJSON ? json(level, message, fields) : text(level, message, fields)
    // Each line is one write, so that lines of several threads and processes are not mixed.
    let bytes = Array(line.utf8)
    _ = Glibc.write(descriptor, bytes, bytes.count)
  }

  private func text(_ level: Level, _ message: String, _ fields: Fields) -> String {
    var now = time(nil)
    var local = tm()
    localtime_r(&now, &local)
    func two(_ value: Int32) -> String { value < 10 ? "0\(value)" : "\(value)" }
    var line = "\(two(local.tm_hour)):\(two(local.tm_min)):\(two(local.tm_sec)) "
    line += level == .info ? "" : "\(level.rawValue): "
    return line + Self.plain(message, fields) + "\n"
  }

  private static func plain(_ message: String, _ fields: Fields) -> String {
    // File names and servers' texts may contain characters that end a line, control a terminal or reorder text.
    fields.reduce(into: message.withoutUnsafeScalars) { $0 += "  \($1.key)=\($1.value.withoutUnsafeScalars)" }
  }

  private func json(_ level: Level, _ message: String, _ fields: Fields) -> String {
    struct Line: Encodable {
      var time = Timestamp.now()
      var level: String
      var service: String
      var message: String
      var fields: [String: String]
    }
    let pairs = Dictionary(fields.map { ($0.key, $0.value) }) { $1 }
    let line = Line(level: level.rawValue, service: source, message: message, fields: pairs)
    do {
      return String(decoding: try MessageCoding.encode(line), as: UTF8.self).escapingUnsafeScalars + "\n"
    } catch {
      // Strings always encode. If not, the text form is written.
      return text(level, message, fields)
    }
  }
}

/// Writes to systemd's journal with fields by which `journalctl` can filter: `LUNARA_SERVICE=playback`,
/// `LUNARA_NODE=playback@kitchen`, `LUNARA_ROOM=kitchen`, `LUNARA_CODE=storage.full`.
struct JournalLog: Sendable {
  private let own: [(name: String, value: String)]

  /// Creates a journal log if systemd connected the descriptor to the journal; else nil.
  init?(service: String, name: String, descriptor: Int32) {
    guard let stream = getenv("JOURNAL_STREAM") else { return nil }
    var status = stat()
    guard fstat(descriptor, &status) == 0, String(cString: stream) == "\(status.st_dev):\(status.st_ino)" else {
      return nil
    }
    own = Self.fields(service: service, name: name)
  }

  static func fields(service: String, name: String) -> [(name: String, value: String)] {
    [("LUNARA_SERVICE", service), ("LUNARA_NODE", "\(service)@\(name)")]
      + (service == "playback" ? [("LUNARA_ROOM", name)] : [])
  }

  /// Writes an entry; returns false if the journal does not accept it.
  func write(_ message: String, priority: Int, _ fields: [(key: String, value: String)]) -> Bool {
    let entries =
      ["MESSAGE=\(message)", "PRIORITY=\(priority)"] + own.map { "\($0.name)=\($0.value)" }
      + fields.map { "\(Self.fieldName($0.key))=\($0.value)" }
    let vectors = entries.map { entry in
      let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: entry.utf8.count, alignment: 1)
      bytes.copyBytes(from: entry.utf8)
      return iovec(iov_base: bytes.baseAddress, iov_len: bytes.count)
    }
    defer { for vector in vectors { vector.iov_base?.deallocate() } }
    return sd_journal_sendv(vectors, Int32(vectors.count)) == 0
  }

  /// Returns the name of the journal field for a key: `A-Z`, `0-9` and `_` after `LUNARA_`, so that no key can forge
  /// another field.
  static func fieldName(_ key: String) -> String {
    var name = "LUNARA_"
    var wasLower = false
    for scalar in key.unicodeScalars {
      switch scalar {
      case "A"..."Z":
        name += wasLower ? "_\(scalar)" : "\(scalar)"
        wasLower = false
      case "a"..."z", "0"..."9":
        name += "\(scalar)".uppercased()
        wasLower = true
      default:
        name += "_"
        wasLower = false
      }
    }
    return String(name.prefix(64))
  }
}
