import CVips
import Model

/// The formats of pictures that are decoded, recognised by their first bytes. No decoder sees the bytes of any other
/// file.
enum PictureFormat: Hashable {
  case jpeg
  case png
  case webp
  case gif
  case avif

  /// Recognises the format; nil for any other file.
  init?(_ bytes: [UInt8]) {
    switch ImageType(firstBytes: bytes) {
    case .jpeg: self = .jpeg
    case .png: self = .png
    case .gif: self = .gif
    case .webp: self = .webp
    case .avif where Self.isCodedAsAV1(bytes): self = .avif
    case .avif, nil: return nil
    }
  }

  /// Returns true if no item of a file in ISO's base media format (ISO/IEC 14496-12) is coded by another video codec
  /// than AV1: the library that decodes AVIF also decodes HEIC, whatever the file calls itself.
  private static func isCodedAsAV1(_ bytes: [UInt8]) -> Bool {
    var rest = bytes[...]
    while rest.count >= 8 {
      let length = rest.prefix(4).reduce(0) { $0 << 8 | Int($1) }
      // Of the special lengths, 0 is a box to the end, and 1 a box of more than 4 GiB.
      let box = length == 0 ? rest : rest.prefix(length)
      guard length == 0 || length >= 8, box.count == length || length == 0 else { return false }
      if !box.dropFirst(4).starts(with: "mdat".utf8), containsOtherCodec(box) { return false }
      rest = rest[box.endIndex...]
    }
    return true
  }

  /// The names of items and settings of HEVC, AVC and VVC (ISO/IEC 23008-12).
  private static let otherCodecs = ["hvc1", "hev1", "lhv1", "hvcC", "avc1", "avcC", "vvc1", "vvcC"].map {
    Array($0.utf8)
  }

  private static func containsOtherCodec(_ box: ArraySlice<UInt8>) -> Bool {
    box.indices.dropLast(3).contains { index in
      otherCodecs.contains { box[index] == $0[0] && box[index..<(index + 4)].elementsEqual($0) }
    }
  }

  /// The format for libvips.
  var forVips: lunara_picture_format {
    switch self {
    case .jpeg: LUNARA_PICTURE_JPEG
    case .png: LUNARA_PICTURE_PNG
    case .webp: LUNARA_PICTURE_WEBP
    case .gif: LUNARA_PICTURE_GIF
    case .avif: LUNARA_PICTURE_AVIF
    }
  }

  /// The factor by which a decoder makes the picture smaller while it decodes: 1, 2, 4 or 8. At least a factor of two
  /// is left to the resizing that follows, which is sharper.
  ///
  /// - Parameters:
  ///   - longest: the longest side of the picture in pixels.
  ///   - size: the longest side that is needed.
  func shrink(from longest: Int, to size: Int) -> Int {
    guard self == .jpeg || self == .webp else { return 1 }
    return [8, 4, 2].first { longest >= size * $0 * 2 } ?? 1
  }
}
