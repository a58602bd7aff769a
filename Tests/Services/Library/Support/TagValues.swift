@testable import lunara_library

extension FileTags {
  /// The tags of a file with these properties, as TagLib names them.
  init(_ values: (String, String)...) { self.init(values) }

  init(_ values: [(String, String)]) {
    var interpretation = TagInterpretation()
    for (name, value) in values {
      Array(name.utf8).withUnsafeBufferPointer { name in
        Array(value.utf8).withUnsafeBufferPointer { interpretation.add(name, $0) }
      }
    }
    self = interpretation.finished()
  }
}

extension FileMetadata {
  /// The metadata of a file with these properties, by the default rules.
  convenience init(_ values: (String, String)...) {
    self.init(FileTags(values), folder: [], name: [], .default)
  }
}
