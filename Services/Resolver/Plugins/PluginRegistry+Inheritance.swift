import Messages
import Model
import Plugins

/// The things that a file inherits from the file that had its id before. Anyone may publish a file with any id, so a
/// file by another maker or an older one inherits only the things that a person names.
struct PluginInheritance: Sendable {
  /// True for a file of the same maker, which keeps the settings, the account and the rest.
  var isSameMaker: Bool
  /// The things that a person has to name.
  var items: [Resolver.Inheritable] = []

  fileprivate static let account = "account"
  fileprivate static let stored = "stored"
  fileprivate static let sharing: [(subject: Resolver.SharedSubject, key: String, title: String)] = [
    (.plays, "plays", "being told what plays"), (.history, "history", "the use of what was played"),
  ]
  fileprivate static func key(setting: String) -> String { "setting \(setting)" }
  fileprivate static func key(host: String) -> String { "host \(host)" }
  fileprivate static func key(_ server: PluginConsent.Server) -> String { "server \(server.setting) \(server.address)" }

  /// Returns the consent to a file.
  ///
  /// - Parameters:
  ///   - former: the consent to the file before; nil if there is none.
  ///   - origin: the address from which the file came; nil for one that was sent or put into the folder.
  ///   - taken: the keys that a person named.
  func consent(
    to file: PluginFile, after former: PluginConsent?, origin: String?, taking taken: Set<String>
  ) -> PluginConsent {
    var consent = PluginConsent(to: file.content, digest: file.digest, origin: origin)
    guard let former else { return consent }
    let isSameFile = former.digest == file.digest
    // Another address of the same file proves nothing about the files that will be there.
    if isSameFile { consent.origin = former.origin }
    if isSameMaker { consent.follow(former) }
    let servers = (former.servers ?? []).filter { isSameFile || taken.contains(Self.key($0)) }
    consent.servers = servers.isEmpty ? nil : servers
    consent.add((former.addedHosts ?? []).filter { isSameMaker || taken.contains(Self.key(host: $0)) })
    return consent
  }
}

extension PluginRegistry {
  /// Returns the things that a file inherits from the file that had its id before.
  ///
  /// - Parameter origin: the address from which it came; nil for one that was sent or put into the folder.
  func inheritance(of file: PluginFile, from origin: String?) async throws -> PluginInheritance {
    let (id, consent) = (file.id, records[file.id]?.consent)
    guard consent?.digest != file.digest else { return .init(isSameMaker: true) }
    let isSame =
      consent?.isSameMaker(file.content, digest: file.digest, from: origin) ?? (self.file(id)?.digest == file.digest)
    var inheritance = PluginInheritance(isSameMaker: isSame)
    func add(_ key: String, _ title: String) { inheritance.items.append(.init(key: key, title: title)) }
    // A consent to a server belongs to one file, whoever made the next one.
    let typed = file.typedSettings
    for server in consent?.servers ?? [] where typed.contains(server.setting) {
      add(PluginInheritance.key(server), "access to \(server.address) (setting \(server.setting))")
    }
    guard !isSame else { return inheritance }
    for name in try await settings(of: id).keys.sorted() {
      add(PluginInheritance.key(setting: name), "the value of the setting \(name)")
    }
    if let service = accounts.service(id), try await accounts.isKept(id) {
      add(PluginInheritance.account, "the account at \(service.title)")
    }
    let stored = try await store.storedCount(of: id)
    if stored > 0 {
      add(PluginInheritance.stored, "what it has stored (\(stored) \(stored == 1 ? "value" : "values"))")
    }
    for host in consent?.addedHosts ?? [] where !file.content.hosts.contains(host) {
      add(PluginInheritance.key(host: host), "access to the host \(host), which you added")
    }
    for one in PluginInheritance.sharing where try await sharing.isShared(one.subject, with: id) {
      add(one.key, one.title)
    }
    return inheritance
  }

  /// Removes the things that a file does not take over. Consents to hosts and servers end with that to the former file.
  func forget(_ items: [Resolver.Inheritable], of id: String) async throws {
    guard !items.isEmpty else { return }
    let keys = Set(items.map(\.key))
    let names = try await settings(of: id).keys.filter { keys.contains(PluginInheritance.key(setting: $0)) }
    try await store.removeSettings(Array(names), of: id)
    values[id] = nil
    if keys.contains(PluginInheritance.account) { try await accounts.remove(id) }
    if keys.contains(PluginInheritance.stored) { try await store.removeStored(of: id) }
    for one in PluginInheritance.sharing where keys.contains(one.key) {
      try await sharing.set(one.subject, with: id, isAllowed: false, at: .now())
    }
  }
}
