/// The audio of MP3 files put together frame by frame (ISO 11172-3; the Xing header by gabriel.mp3-tech.org). It is
/// silent and states a length that need not be that of its frames.
enum MP3File {
  /// MPEG 1, layer III, 128 kbit/s, 44.1 kHz, stereo, without a checksum.
  private static let header: [UInt8] = [0xFF, 0xFB, 0x90, 0x00]
  private static let frameLength = 417
  private static let samplesInFrame = 1152.0

  static func audio(seconds: Double) -> [UInt8] {
    let count = Int(seconds * 44100 / samplesInFrame)
    let side = [UInt8](repeating: 0, count: 32)
    let xing = Array("Xing".utf8) + FLACFile.big(3) + FLACFile.big(count) + FLACFile.big(count * frameLength)
    return frame(side + xing) + frame([]) + frame([]) + frame([])
  }

  private static func frame(_ body: [UInt8]) -> [UInt8] {
    header + body + [UInt8](repeating: 0, count: frameLength - header.count - body.count)
  }
}
