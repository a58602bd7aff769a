package import MusicTags

extension FileTags {
  /// The tags of a file with these properties, as TagLib names them.
  package init(_ values: (String, String)...) { self.init(values) }

  package init(_ values: [(String, String)]) {
    self.init(properties: Self.properties(values))
  }

  /// The properties as `lunara-tags` reads them from a file.
  package static func properties(_ values: [(String, String)]) -> [UInt8] {
    values.flatMap { Array($0.0.utf8) + [0] + Array($0.1.utf8) + [0] }
  }
}

extension FileMetadata {
  /// The metadata of a file with these properties, by the default rules.
  package convenience init(_ values: (String, String)...) {
    self.init(FileTags(values), folder: [], name: [], .default)
  }
}
