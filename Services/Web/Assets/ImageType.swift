import Model

/// The kind of a picture, judged by its first bytes. Only kinds that cannot carry script.
enum ImageType: String {
  case jpeg = "image/jpeg"
  case png = "image/png"
  case gif = "image/gif"
  case webp = "image/webp"
  case avif = "image/avif"
  case bmp = "image/bmp"

  /// How many bytes decide.
  static let length = 16

  /// Judges what has to be a picture; `name` says which.
  ///
  /// - Throws: `web.noPicture`.
  static func required(_ bytes: [UInt8], _ name: String) throws(LunaraError) -> ImageType {
    guard let type = ImageType(firstBytes: bytes) else {
      throw LunaraError("web.noPicture", "\(name) is no picture that browsers show.")
    }
    return type
  }

  /// Judges; nil for what is no picture, or one of another kind.
  init?(firstBytes bytes: [UInt8]) {
    func has(_ text: String, at start: Int = 0) -> Bool { bytes.dropFirst(start).starts(with: text.utf8) }
    if bytes.starts(with: [0xFF, 0xD8, 0xFF]) {
      self = .jpeg
    } else if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
      self = .png
    } else if has("GIF87a") || has("GIF89a") {
      self = .gif
    } else if has("RIFF") && has("WEBP", at: 8) {
      self = .webp
    } else if has("ftypavif", at: 4) || has("ftypavis", at: 4) {
      self = .avif
    } else if has("BM"), bytes.count >= 14 {
      self = .bmp
    } else {
      return nil
    }
  }
}
