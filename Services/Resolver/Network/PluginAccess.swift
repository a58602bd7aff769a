import HTTP
import Plugins

/// The servers that a plugin may ask: the hosts to which a person has agreed, and the servers of its settings to which
/// the person has agreed one by one.
struct PluginAccess: Hashable, Sendable {
  /// The hosts, over https only and only at public addresses.
  var hosts: [String]
  /// The servers of the settings, which may be in the private network and without encryption.
  var origins: Set<Origin>
  /// The time that a request may take; nil for the usual one.
  var time: Duration?

  /// Creates the access by the hosts of a consent and the addresses of servers.
  init(hosts: [String], servers: some Sequence<String>) {
    self.hosts = hosts
    origins = Set(servers.compactMap { Origin($0) })
  }

  /// The result of the check of a server.
  enum Permission: Hashable, Sendable {
    /// It may be asked; only at a public address where `isPublic` is true.
    case allowed(isPublic: Bool)
    case refused
  }

  /// Returns if a server may be asked.
  func permission(for origin: Origin) -> Permission {
    if origins.contains(origin) { return .allowed(isPublic: false) }
    guard origin.scheme == "https", PluginHosts.allow(origin.host, hosts) else { return .refused }
    return .allowed(isPublic: true)
  }
}
