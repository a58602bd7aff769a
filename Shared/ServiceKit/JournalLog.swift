import CSystemd
import Glibc

/// Writes to systemd's journal, with fields that `journalctl` can be asked for: `LUNARA_SERVICE=playback`,
/// `LUNARA_NODE=playback@kitchen`, `LUNARA_ROOM=kitchen`, `LUNARA_CODE=storage.full`.
struct JournalLog: Sendable {
  private let own: [(name: String, value: String)]

  /// The journal, where systemd says that a descriptor leads there; nil elsewhere.
  init?(service: String, name: String, descriptor: Int32) {
    guard let stream = getenv("JOURNAL_STREAM") else { return nil }
    var status = stat()
    guard fstat(descriptor, &status) == 0, String(cString: stream) == "\(status.st_dev):\(status.st_ino)" else {
      return nil
    }
    own = Self.fields(service: service, name: name)
  }

  /// What every entry of a service holds.
  static func fields(service: String, name: String) -> [(name: String, value: String)] {
    [("LUNARA_SERVICE", service), ("LUNARA_NODE", "\(service)@\(name)")]
      + (service == "playback" ? [("LUNARA_ROOM", name)] : [])
  }

  /// Writes an entry; false where the journal does not take it.
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

  /// A key as the journal takes names of fields: `A-Z`, `0-9` and `_`, with Lunara's own beginning, so that no key
  /// can pretend to be another field.
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
