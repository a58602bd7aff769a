import Digests
import System
import Model

/// Signs calls of Last.fm's protocol (last.fm/api/authspec, 8. Signing Calls).
enum LastFMSignature {
  /// `api_sig`: the MD5 of all parameters, ordered by the bytes of their names, each name followed by its value, and of
  /// the secret. `format` and `callback` are left out.
  ///
  /// - Throws: `internal.noDigest`.
  static func of(_ parameters: [String: String], secret: String) throws(LunaraError) -> String {
    let signed = parameters.filter { !["format", "callback", "api_sig"].contains($0.key) }
      .sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
    return try MD5.hex(signed.reduce(into: "") { $0 += $1.key + $1.value } + secret)
  }
}
