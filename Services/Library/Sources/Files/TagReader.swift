import CTagLib
import Glibc
import Model

/// Reads files with TagLib, one after the other. Belongs to one thread.
struct TagReader: ~Copyable {
  enum Failure: Error {
    /// The file is no audio file, or incomplete.
    case broken
    /// The file cannot be read, with the kernel's error number.
    case unreadable(Int32)
    case outOfMemory
  }

  private let handle: OpaquePointer

  init() throws(Failure) {
    guard let handle = lunara_tag_reader_make() else { throw .outOfMemory }
    self.handle = handle
  }

  deinit { lunara_tag_reader_free(handle) }

  func tags(of descriptor: Int32, name: [UInt8], size: Int64) throws(Failure) -> FileTags {
    var raw = lunara_tags()
    try Self.check(lunara_tags_read(handle, descriptor, name.cString, size, &raw), raw.system_error)
    var interpretation = TagInterpretation()
    if var place = raw.text {
      let end = place + raw.text_length
      while place < end {
        let field = TagField(place)
        let value = place + strlen(place) + 1
        let length = strlen(value)
        if let field {
          value.withMemoryRebound(to: UInt8.self, capacity: length) {
            interpretation.add(field, UnsafeBufferPointer(start: $0, count: length))
          }
        }
        place = value + length + 1
      }
    }
    var tags = interpretation.finished()
    tags.duration = Milliseconds(max(0, raw.duration))
    tags.hasPicture = raw.has_picture != 0
    tags.isLossless = raw.is_lossless != 0
    // The file is only a header, as an interrupted copy leaves it.
    if tags.duration == .zero, size < Self.smallestWithoutDuration { throw .broken }
    return tags
  }

  private static let smallestWithoutDuration = 4096

  /// Returns the cover picture in an open file; nil where it has none.
  func picture(of descriptor: Int32, name: [UInt8], size: Int64) throws(Failure) -> [UInt8]? {
    var raw = lunara_picture()
    try Self.check(lunara_picture_read(handle, descriptor, name.cString, size, &raw), raw.system_error)
    return raw.bytes.map { Array(UnsafeBufferPointer(start: $0, count: raw.length)) }
  }

  private static func check(_ outcome: lunara_tag_outcome, _ systemError: Int32) throws(Failure) {
    switch outcome {
    case LUNARA_TAG_OK: return
    case LUNARA_TAG_UNREADABLE: throw .unreadable(systemError)
    case LUNARA_TAG_NO_MEMORY: throw .outOfMemory
    default: throw .broken
    }
  }
}
