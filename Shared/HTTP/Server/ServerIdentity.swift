import Glibc
import Model

/// What a server proves itself with where connections are encrypted (TLS 1.2 and 1.3, by GnuTLS in libmicrohttpd).
public struct TLSCertificate: Sendable {
  /// The certificate with its chain, and the key; PEM, each ended by a NUL.
  let certificate: [CChar]
  let key: [CChar]

  /// Reads both from files.
  ///
  /// - Parameters:
  ///   - certificate: the path of the certificate, with those that lead to an authority behind it.
  ///   - key: the path of its key.
  /// - Throws: `http.badCertificate`.
  public init(certificate: String, key: String) throws {
    self.certificate = try Self.read(certificate, "CERTIFICATE")
    self.key = try Self.read(key, "PRIVATE KEY")
  }

  /// Reads a PEM file that holds a block of this kind.
  private static func read(_ path: String, _ kind: String) throws -> [CChar] {
    guard let file = fopen(path, "re") else {
      throw LunaraError(
        "http.badCertificate", "\(path) cannot be read. Check its name, and that this user may read it.",
        cause: String(cString: strerror(errno)))
    }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 1 << 20)
    let count = fread(&bytes, 1, bytes.count, file)
    let text = String(decoding: bytes[..<count], as: UTF8.self)
    guard text.contains("-----BEGIN "), text.contains("\(kind)-----"), !text.utf8.contains(0) else {
      throw LunaraError("http.badCertificate", "\(path) is no PEM file with a \(kind.lowercased()).")
    }
    return bytes[..<count].map { CChar(bitPattern: $0) } + [0]
  }
}
