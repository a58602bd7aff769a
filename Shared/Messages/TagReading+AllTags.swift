/// All tags of a music file, as the tag readers write them into a file in memory.
extension TagReading {
  /// The most bytes of all tags of a file as they are shown.
  public static let allTagsLimit = 64 << 10
  /// The most bytes of one of these values; longer ones are cut.
  public static let shownValueLimit = 4 << 10

  /// The tags of a file, and the number of values that were left out.
  public struct AllTags: Hashable, Sendable {
    /// The values in the order of the file.
    public private(set) var tags: [Library.FileTag] = []
    /// The number of values for which there was no room.
    public private(set) var omitted = 0
    private var size = 0

    /// Makes an empty list.
    public init() {}

    /// Adds a value; cuts it where it is too long, and leaves it out where all would become too long.
    ///
    /// - Parameters:
    ///   - kind: the kind of tags, such as `ID3v2.4`.
    ///   - name: the name as it stands there.
    ///   - value: the value as text.
    ///   - length: the bytes of data that are no text, which the value describes; nil for text.
    public mutating func append(kind: String, name: String, value: String, length: Int? = nil) {
      var tag = Library.FileTag(kind: kind, name: name, value: value, length: length)
      if tag.value.utf8.count > TagReading.shownValueLimit {
        tag.length = length ?? value.utf8.count
        // A character that would be torn is left out.
        var end = value.utf8.index(value.startIndex, offsetBy: TagReading.shownValueLimit)
        while value.utf8[end] & 0xC0 == 0x80 { end = value.utf8.index(before: end) }
        tag.value = String(value[..<end])
      }
      let length = tag.bytes.count
      guard size + length <= TagReading.allTagsLimit else {
        omitted += 1
        return
      }
      tags.append(tag)
      size += length
    }

    /// The bytes of the tags: of each its kind, name, value and length, each ended by NUL; then four empty texts with
    /// the number of values that were left out as the last, if there are any.
    public var bytes: [UInt8] {
      let end = omitted == 0 ? [] : [0, 0, 0] + Array("\(omitted)".utf8) + [0]
      return tags.reduce(into: []) { $0 += $1.bytes } + end
    }

    /// Reads tags; ends where they are incomplete. Bytes that are no UTF-8 are replaced.
    public init(_ bytes: [UInt8]) {
      self.init()
      var rest = bytes[...]
      func next() -> String? {
        guard let end = rest.firstIndex(of: 0) else { return nil }
        defer { rest = rest[(end + 1)...] }
        return String(decoding: rest[..<end], as: UTF8.self)
      }
      while let kind = next(), let name = next(), let value = next(), let length = next() {
        if kind.isEmpty, name.isEmpty {
          omitted = Int(length) ?? 0
        } else {
          let tag = Library.FileTag(kind: kind, name: name, value: value, length: Int(length))
          tags.append(tag)
          size += tag.bytes.count
        }
      }
    }
  }
}

extension Library.FileTag {
  fileprivate var bytes: [UInt8] {
    [kind, name, value, length.map { "\($0)" } ?? ""].reduce(into: []) { bytes, text in
      bytes += text.utf8.map { $0 == 0 ? 32 : $0 }
      bytes.append(0)
    }
  }
}
