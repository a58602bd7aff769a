/// Free-form items of MP4 files ("QuickTime File Format", metadata; the `----` items that iTunes and Picard write).
/// They are put into a file whose `moov` comes last, as ffmpeg writes it, so that no offset changes.
enum MP4Tag {
  /// Returns the file with these items at the end of its `ilst`; nil where it has none.
  static func adding(_ items: [(String, String)], to file: [UInt8]) -> [UInt8]? {
    insert(items.flatMap { item($0.0, $0.1) }, into: ["moov", "udta", "meta", "ilst"], of: file)
  }

  private static func item(_ name: String, _ value: String) -> [UInt8] {
    let domain = atom("mean", FLACFile.big(0) + Array("com.apple.iTunes".utf8))
    let key = atom("name", FLACFile.big(0) + Array(name.utf8))
    return atom("----", domain + key + atom("data", FLACFile.big(1) + FLACFile.big(0) + Array(value.utf8)))
  }

  private static func atom(_ name: String, _ body: [UInt8]) -> [UInt8] {
    FLACFile.big(body.count + 8) + Array(name.utf8) + body
  }

  private static func insert(_ bytes: [UInt8], into path: [String], of body: [UInt8]) -> [UInt8]? {
    guard let name = path.first else { return body + bytes }
    var start = 0
    while start + 8 <= body.count {
      let size = body[start..<(start + 4)].reduce(0) { $0 << 8 | Int($1) }
      guard size >= 8, start + size <= body.count else { return nil }
      if body[(start + 4)..<(start + 8)].elementsEqual(name.utf8) {
        // `meta` has a version before its contents.
        let head = name == "meta" ? 12 : 8
        guard let inner = insert(bytes, into: Array(path.dropFirst()), of: Array(body[(start + head)..<(start + size)]))
        else { return nil }
        let whole = atom(name, Array(body[(start + 8)..<(start + head)]) + inner)
        return Array(body[..<start]) + whole + Array(body[(start + size)...])
      }
      start += size
    }
    return nil
  }
}
