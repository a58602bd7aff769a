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

  public init(digest: String, version: String, hosts: [String], capabilities: [String]) {
    self.digest = digest
    self.version = version
    self.hosts = hosts
    self.capabilities = capabilities
  }

  /// Creates the consent to a file as it is.
  public init(to file: AxeFile, digest: String) {
    self.init(
      digest: digest, version: file.manifest.version.description, hosts: file.hosts, capabilities: file.capabilities)
  }

  /// The reasons for which a file needs a new consent.
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

  /// Returns what a person has to agree to before a file is run; nil if the consent fits it as it is.
  ///
  /// - Parameter digest: the SHA-256 of the file. A person may have added hosts to a consent, which is no change.
  public func change(in file: AxeFile, digest: String) -> Change? {
    let change = Change(
      isOtherFile: digest != self.digest, newHosts: file.hosts.filter { !hosts.contains($0) },
      newCapabilities: file.capabilities.filter { !capabilities.contains($0) },
      isUpdate: file.manifest.version > SemanticVersion(version))
    return change.isOtherFile || !change.newHosts.isEmpty || !change.newCapabilities.isEmpty ? change : nil
  }
}
