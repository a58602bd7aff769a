import FoundationEssentials
import Model
package import System

/// Addresses that lead to the machine that opens them.
extension Loopback {
  /// Returns true for an absolute address whose host is one, or is a name that resolves to one.
  package static func isTarget(of url: String) -> Bool {
    guard let host = host(of: url)?.lowercased() else { return false }
    if isHost(host) || host.hasSuffix(".localhost") { return true }
    // 127-0-0-1.HASH.plex.direct resolves to 127.0.0.1.
    return host.hasSuffix(".plex.direct") && isHost(String(host.prefix { $0 != "." }.replacing("-", with: ".")))
  }

  /// Returns true for an absolute address at `localhost` or a number of this
  /// machine, for which no name server is asked.
  package static func isCertain(of url: String) -> Bool { host(of: url).map(isHost) ?? false }

  private static func host(of url: String) -> String? { URL(string: url)?.host(percentEncoded: false) }
}
