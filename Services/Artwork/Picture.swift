import CVips
import Messages
import Model

/// A picture that libvips has decoded: upright, sRGB, three bytes a pixel, in memory.
///
/// All failures throw `library.badPicture`.
final class Picture {
  private let image: UnsafeMutablePointer<VipsImage>

  /// The largest number of pixels of a picture that is decoded.
  static let pixelLimit = 100_000_000

  /// Decodes a picture to a longest side of at most `size`.
  init(_ bytes: [UInt8], size: Int) throws(LunaraError) {
    var (width, height, isProfiled): (Int32, Int32, Int32) = (0, 0, 0)
    guard lunara_vips_head(bytes, bytes.count, &width, &height, &isProfiled) == 0 else { throw Self.refusal() }
    guard width > 0, height > 0, Int(width) * Int(height) <= Self.pixelLimit else {
      throw Self.refusal("it says that it has \(width) × \(height) pixels")
    }
    guard let image = lunara_vips_thumbnail(bytes, bytes.count, Int32(size), isProfiled) else { throw Self.refusal() }
    self.image = image
  }

  /// Makes a picture smaller, of exactly `size` by `size` where `isForced`.
  init(_ picture: Picture, size: Int, isForced: Bool = false) throws(LunaraError) {
    guard let image = lunara_vips_smaller(picture.image, Int32(size), isForced ? 1 : 0) else { throw Self.refusal() }
    self.image = image
  }

  deinit { lunara_vips_release(image) }

  var longest: Int { Int(lunara_vips_longest(image)) }

  /// All pixels, row by row.
  var pixels: [RGB] {
    var count = 0
    guard let bytes = lunara_vips_pixels(image, &count) else { return [] }
    return stride(from: 0, to: count - 2, by: 3).map {
      RGB(red: Int(bytes[$0]), green: Int(bytes[$0 + 1]), blue: Int(bytes[$0 + 2]))
    }
  }

  func save(_ format: Artwork.Format, at path: String) throws(LunaraError) {
    let result =
      switch format {
      case .jpeg: lunara_vips_save_jpeg(image, path, 82)
      // More effort takes several times as long for a few percent of the size.
      case .webp: lunara_vips_save_webp(image, path, 82, 2)
      }
    guard result == 0 else { throw Self.refusal() }
  }

  /// Returns the reason that libvips gives for the last failure on this thread.
  static func complaint() -> String {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 512) { buffer in
      guard let text = buffer.baseAddress else { return "" }
      lunara_vips_complaint(text, buffer.count)
      let lines = String(cString: text).split(separator: "\n")
      return lines.isEmpty ? "libvips gives no reason" : lines.joined(separator: "; ")
    }
  }

  private static func refusal(_ cause: String? = nil) -> LunaraError {
    LunaraError(
      "library.badPicture", "A picture cannot be shown: it is damaged, too large or of an unknown form.",
      cause: cause ?? complaint())
  }
}
