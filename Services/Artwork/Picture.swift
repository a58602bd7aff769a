import CVips
import Messages
import Model

/// A picture that libvips has decoded: upright, sRGB, three bytes a pixel, in memory.
///
/// All failures throw `library.badPicture`.
final class Picture {
  private let image: UnsafeMutablePointer<VipsImage>
  /// The reason why a part of it is missing; nil for a whole one.
  private(set) var damage: String?

  /// The largest number of pixels of a picture that is decoded.
  static let pixelLimit = 100_000_000

  /// Decodes a picture to a longest side of at most `size`.
  init(_ bytes: [UInt8], size: Int) throws(LunaraError) {
    guard let format = PictureFormat(bytes) else {
      throw Self.refusal(bytes.isEmpty ? "it is empty" : "it is neither JPEG, PNG, WebP, GIF nor AVIF")
    }
    var (width, height): (Int32, Int32) = (0, 0)
    guard lunara_vips_head(bytes, bytes.count, format.forVips, &width, &height) == 0 else { throw Self.refusal() }
    guard width > 0, height > 0, Int(width) * Int(height) <= Self.pixelLimit else {
      throw Self.refusal("it says that it has \(width) × \(height) pixels, more than \(Self.pixelLimit)")
    }
    let shrink = format.shrink(from: Int(max(width, height)), to: size)
    func decode(wholeOnly: Bool) -> UnsafeMutablePointer<VipsImage>? {
      lunara_vips_thumbnail(bytes, bytes.count, format.forVips, Int32(shrink), Int32(size), wholeOnly ? 1 : 0)
    }
    if let whole = decode(wholeOnly: true) {
      image = whole
      return
    }
    let damage = Self.complaint()
    guard let part = decode(wholeOnly: false) else { throw Self.refusal() }
    image = part
    self.damage = "its end is missing: \(damage)"
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

  /// Returns the picture as a file of a format.
  func encoded(as format: Artwork.Format) throws(LunaraError) -> [UInt8] {
    var bytes: UnsafeMutableRawPointer?
    var count = 0
    let result =
      switch format {
      case .jpeg: lunara_vips_save_jpeg(image, 82, &bytes, &count)
      // More effort takes several times as long for a few percent of the size.
      case .webp: lunara_vips_save_webp(image, 82, 2, &bytes, &count)
      }
    guard result == 0, let bytes else { throw Self.refusal() }
    defer { lunara_vips_free(bytes) }
    return Array(UnsafeRawBufferPointer(start: bytes, count: count))
  }

  /// Returns the reason that libvips gives for the last failure: its last line, as those before it are warnings, also
  /// of other pictures.
  static func complaint() -> String {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 12_288) { buffer in
      guard let text = buffer.baseAddress else { return "" }
      lunara_vips_complaint(text, buffer.count)
      let lines = String(cString: text).split(separator: "\n")
      return lines.last.map { String($0.prefix(300)) } ?? "libvips gives no reason"
    }
  }

  private static func refusal(_ cause: String? = nil) -> LunaraError { Artwork.badPicture(cause ?? complaint()) }
}
