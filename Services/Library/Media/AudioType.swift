/// Media types of music files, by the ending of their names.
enum MediaType {
  private static let types = [
    "flac": "audio/flac", "mp3": "audio/mpeg", "mp2": "audio/mpeg", "ogg": "audio/ogg", "oga": "audio/ogg",
    "spx": "audio/ogg", "opus": "audio/ogg", "m4a": "audio/mp4", "m4b": "audio/mp4", "aac": "audio/aac",
    "wav": "audio/wav", "aif": "audio/aiff", "aiff": "audio/aiff", "aifc": "audio/aiff", "wv": "audio/x-wavpack",
    "ape": "audio/x-ape", "mka": "audio/x-matroska", "wma": "audio/x-ms-wma", "asf": "audio/x-ms-wma",
  ]

  /// The type of a file of this name.
  static func of(_ name: [UInt8]) -> String {
    FileName.ending(name).flatMap { types[$0] } ?? "application/octet-stream"
  }

  /// The type of a picture by its first bytes; nil for what browsers do not show, or what may carry script.
  static func ofPicture(_ head: [UInt8]) -> String? {
    func has(_ text: String, at start: Int = 0) -> Bool { head.dropFirst(start).starts(with: text.utf8) }
    if head.starts(with: [0xFF, 0xD8, 0xFF]) { return "image/jpeg" }
    if head.starts(with: [0x89, 0x50, 0x4E, 0x47]) { return "image/png" }
    if has("GIF8") { return "image/gif" }
    if has("RIFF"), has("WEBP", at: 8) { return "image/webp" }
    return has("ftypavif", at: 4) ? "image/avif" : nil
  }
}
