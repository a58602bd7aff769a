/// Addresses that lead to the very machine that opens them.
enum Loopback {
  /// Whether a host, without brackets, is one: `localhost`, 127.0.0.0/8, ::1, and Plex's names for those.
  static func isHost(_ host: String) -> Bool {
    let host = host.lowercased()
    if host == "localhost" || host.hasSuffix(".localhost") || host == "::1" { return true }
    // 127-0-0-1.HASH.plex.direct resolves to 127.0.0.1.
    let isPlex = host.hasSuffix(".plex.direct")
    let number = isPlex ? host.prefix { $0 != "." } : host[...]
    let parts = number.split(separator: isPlex ? "-" : ".", omittingEmptySubsequences: false)
    return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
  }

  /// Whether an absolute address has such a host.
  static func isTarget(of url: String) -> Bool {
    guard let start = url.firstRange(of: "://")?.upperBound else { return false }
    var host = url[start...].prefix { !"/?#".contains($0) }
    if let at = host.lastIndex(of: "@") { host = host[host.index(after: at)...] }
    if host.first == "[" { return isHost(String(host.dropFirst().prefix { $0 != "]" })) }
    return isHost(String(host.prefix { $0 != ":" }))
  }
}
