public import Model

extension Library {
  /// Where something can be read. Kept in memory only.
  public enum Locator: Hashable, Sendable {
    /// A file on the asking node's own host.
    case file(LocalPath)
    /// A URL with headers. `expiresIn` says for how long from the answer on it is good; nil for as long as the source
    /// lets it be.
    case url(String, headers: [String: String], expiresIn: Milliseconds? = nil)
  }
}

extension Library.Locator: Codable {
  private enum CodingKeys: String, CodingKey { case name, path, url, headers, expiresIn }
  private enum Name: String, Codable { case file, url }

  /// Reads `{"name": "file", "path": …}` or `{"name": "url", "url": …, "headers": …, "expiresIn": …}`. A place of a newer version
  /// cannot be reached by this one, so it is an error.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    switch try container.decode(Name.self, forKey: .name) {
    case .file: self = .file(try container.decode(LocalPath.self, forKey: .path))
    case .url:
      self = .url(
        try container.decode(String.self, forKey: .url),
        headers: try container.decodeIfPresent([String: String].self, forKey: .headers) ?? [:],
        expiresIn: try container.decodeIfPresent(Milliseconds.self, forKey: .expiresIn))
    }
  }

  /// Writes the same form.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    switch self {
    case .file(let path):
      try container.encode(Name.file, forKey: .name)
      try container.encode(path, forKey: .path)
    case .url(let url, let headers, let expiresIn):
      try container.encode(Name.url, forKey: .name)
      try container.encode(url, forKey: .url)
      try container.encode(headers, forKey: .headers)
      try container.encodeIfPresent(expiresIn, forKey: .expiresIn)
    }
  }
}
