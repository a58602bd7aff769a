/// The properties of encoded audio, as its file or its server states them. Values that are unknown are nil.
public struct AudioProperties: Codable, Hashable, Sendable {
  /// The codec in lower case, such as `flac`, `mp3`, `aac` or `pcm`, whatever the file is called.
  public var codec: String? = nil
  /// The mean bit rate in kbit/s.
  public var bitRate: Int? = nil
  /// The sample rate in Hz.
  public var sampleRate: Int? = nil
  /// The bits of a sample; nil for lossy audio, which has no such number.
  public var bitDepth: Int? = nil
  /// The number of channels.
  public var channels: Int? = nil

  /// True if nothing is known.
  public var isEmpty: Bool { self == AudioProperties() }
}

extension AudioProperties {
  /// The sample rate of a compact disc, in Hz; the rates of DSD are named by how many times they are higher.
  private static let compactDisc = 44_100

  /// The quality in the words that people use: `FLAC 24/96`, `MP3 320`, `DSD64`; nil if the codec is unknown.
  public var summary: String? {
    guard let name = codecName else { return nil }
    if codec == "dsd" {
      return sampleRate.map { "\(name)\($0 / Self.compactDisc)" } ?? name
    }
    if let bitDepth, let rate = kilohertz { return "\(name) \(bitDepth)/\(rate)" }
    return bitRate.map { "\(name) \($0)" } ?? name
  }

  /// The codec's name as it is usually written; nil if it is unknown.
  public var codecName: String? {
    guard let codec else { return nil }
    let names = ["vorbis": "Vorbis", "opus": "Opus", "wavpack": "WavPack", "musepack": "Musepack", "speex": "Speex"]
    return names[codec] ?? codec.uppercased()
  }

  /// The sample rate in kHz, such as `44.1` or `96`; nil if it is unknown.
  public var kilohertz: String? {
    guard let sampleRate else { return nil }
    var decimals = "\(1000 + sampleRate % 1000)".dropFirst()
    while decimals.last == "0" { decimals.removeLast() }
    return decimals.isEmpty ? "\(sampleRate / 1000)" : "\(sampleRate / 1000).\(decimals)"
  }

  /// Returns the codec for a name of FFmpeg, which Plex uses too and which may tell variants of one codec apart:
  /// `pcm_s16le` is `pcm`.
  public static func codec(ofVariant name: String) -> String {
    let name = name.lowercased()
    let others = ["dca": "dts", "pcm_alaw": "alaw", "pcm_mulaw": "ulaw"]
    let families = ["pcm", "dsd", "wma", "adpcm", "musepack", "mp3"]
    return others[name] ?? families.first(where: name.hasPrefix) ?? name
  }
}
