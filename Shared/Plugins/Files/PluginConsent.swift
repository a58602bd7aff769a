/// A person's consent to a plugin. Only a file that it fits is run.
public struct PluginConsent: Codable, Hashable, Sendable {
  /// The SHA-256 of the file, as 64 hexadecimal digits.
  public var digest: String
  /// The version of the file as it was written.
  public var version: String
  /// The hosts that it may ask, sorted.
  public var hosts: [String]
  /// The capabilities that it had, sorted.
  public var capabilities: [String]
  /// The author of the file; nil if it names none, and in a consent of a former version.
  public var author: String?
  /// The address of the file, or of the list that names it; nil for a file that was sent or put into the folder.
  public var origin: String?
  /// The hosts that a person has added, sorted; nil in a consent of a former version.
  public var addedHosts: [String]?
  /// The servers of its settings that it may ask although they are at home or without encryption.
  public var servers: [Server]?
  /// The digests of this file and of those whose settings and account it took over, the newest one last.
  public var agreed: [String]?

  /// A server that a person has allowed, for the field of the settings that names it.
  public struct Server: Codable, Hashable, Sendable {  // memberwise
    /// The name of the setting.
    public var setting: String
    /// The server as `http://HOST:PORT`.
    public var address: String
  }

  /// The most digests that are remembered.
  private static let agreedLimit = 20

  public init(digest: String, version: String, hosts: [String], capabilities: [String]) {
    self.digest = digest
    self.version = version
    self.hosts = hosts
    self.capabilities = capabilities
  }

  /// Creates the consent to a file as it is.
  public init(to file: AxeFile, digest: String, origin: String? = nil) {
    self.init(
      digest: digest, version: file.manifest.version.description, hosts: file.hosts, capabilities: file.capabilities)
    author = file.manifest.author
    agreed = [digest]
    self.origin = origin
  }

  /// Stores that the file took over the things of a former consent's file.
  public mutating func follow(_ former: PluginConsent) {
    let digests = (former.agreed ?? [former.digest]).filter { $0 != digest }
    agreed = digests.suffix(Self.agreedLimit - 1) + [digest]
  }

  /// Allows the plugin to contact further hosts.
  public mutating func add(_ more: [String]) {
    addedHosts = Set((addedHosts ?? []) + more).sorted()
    hosts = Set(hosts + more).sorted()
  }

  /// Returns true for a file that is certainly by the same maker and no older: one to which the person agreed before,
  /// or one from the same place by the same author. Only such a file gets the plugin's data, because anyone may publish
  /// a file with the same id.
  ///
  /// - Parameters:
  ///   - file: the file.
  ///   - digest: the SHA-256 of the file.
  ///   - origin: the address of the file, or of the list that names it; nil for one that was sent.
  public func isSameMaker(_ file: AxeFile, digest: String, from origin: String?) -> Bool {
    if digest == self.digest || agreed?.contains(digest) == true { return true }
    let author = file.manifest.author
    // A file that was sent can only be recognised by its author.
    guard file.manifest.version >= SemanticVersion(version), author == self.author, origin == self.origin
    else { return false }
    return origin != nil || author != nil
  }

  /// The reasons why a file needs a new consent.
  public struct Change: Hashable, Sendable {
    /// True if the file is another one.
    public var isOtherFile: Bool
    /// The hosts to which nobody has agreed.
    public var newHosts: [String]
    /// The capabilities to which nobody has agreed.
    public var newCapabilities: [String]
    /// True if the file has a higher version than the one that was agreed to.
    public var isUpdate: Bool
  }

  /// Returns the changes to which a person has to agree before a file runs; nil if the consent fits it as it is.
  ///
  /// Hosts that a person added to a consent are not a change.
  ///
  /// - Parameters:
  ///   - file: the file.
  ///   - digest: the SHA-256 of the file.
  public func change(in file: AxeFile, digest: String) -> Change? {
    let change = Change(
      isOtherFile: digest != self.digest, newHosts: file.hosts.filter { !hosts.contains($0) },
      newCapabilities: file.capabilities.filter { !capabilities.contains($0) },
      isUpdate: file.manifest.version > SemanticVersion(version))
    return change.isOtherFile || !change.newHosts.isEmpty || !change.newCapabilities.isEmpty ? change : nil
  }
}
