/// The recognition of containers. Everything else is refused before libavformat sees it, so that a file which only
/// begins like one of them is not read as a list of other files.
extension AudioContainer {
  /// The number of first bytes in which a container is looked for: junk before the first frame of an MP3 may be long.
  public static let headLength = 65_536

  /// Recognises the container of a file by its first bytes, `headLength` of them or all; nil for anything else.
  public init?(head: [UInt8]) {
    if let container = Self.signatures.first(where: { $0.matches(head) })?.container {
      self = container
    } else if let container = FrameSearch(head).container, !Self.isText(head) {
      self = container
    } else {
      return nil
    }
  }

  /// Returns true if the bytes begin like a text, as lists of files do.
  public static func isText(_ head: [UInt8]) -> Bool {
    let start = (head.starts(with: [0xEF, 0xBB, 0xBF]) ? head.dropFirst(3) : head[...]).prefix(8)
    return !start.isEmpty && start.allSatisfy { (32..<127).contains($0) || [9, 10, 13].contains($0) }
  }

  /// Bytes at a fixed place by which a container is known.
  private struct Signature {
    var container: AudioContainer
    var at = 0
    var bytes: [UInt8]
    var second: (at: Int, bytes: [UInt8])?

    init(_ container: AudioContainer, _ text: String, at: Int = 0, then second: String? = nil) {
      self.container = container
      self.at = at
      bytes = Array(text.utf8)
      self.second = second.map { (8, Array($0.utf8)) }
    }

    init(_ container: AudioContainer, bytes: [UInt8]) {
      self.container = container
      self.bytes = bytes
    }

    func matches(_ head: [UInt8]) -> Bool {
      head.dropFirst(at).starts(with: bytes) && second.map { head.dropFirst($0.at).starts(with: $0.bytes) } ?? true
    }
  }

  /// The signatures. A tag of ID3 may come before any of the containers, most often before MP3.
  private static let signatures: [Signature] =
    [
      Signature(.flac, "fLaC"), Signature(.ogg, "OggS"), Signature(.mp3, "ID3"),
      Signature(.wav, "RIFF", then: "WAVE"), Signature(.wav, "RF64", then: "WAVE"),
      Signature(.wave64, bytes: [0x72, 0x69, 0x66, 0x66, 0x2E, 0x91, 0xCF, 0x11]),
      Signature(.aiff, "FORM", then: "AIFF"), Signature(.aiff, "FORM", then: "AIFC"),
      Signature(.mp4, "ftyp", at: 4), Signature(.mp4, "moov", at: 4), Signature(.mp4, "mdat", at: 4),
      Signature(.mp4, "free", at: 4), Signature(.mp4, "skip", at: 4), Signature(.mp4, "wide", at: 4),
      Signature(.ape, "MAC "), Signature(.wavPack, "wvpk"), Signature(.musepack, "MPCK"), Signature(.musepack, "MP+"),
      Signature(.tta, "TTA1"), Signature(.tta, "TTA2"), Signature(.tak, "tBaK"), Signature(.dsf, "DSD "),
      Signature(.dff, "FRM8"), Signature(.caf, "caff"), Signature(.ape, "APETAGEX"),
      Signature(.asf, bytes: [0x30, 0x26, 0xB2, 0x75, 0x8E, 0x66, 0xCF, 0x11]),
      Signature(.matroska, bytes: [0x1A, 0x45, 0xDF, 0xA3]),
      Signature(.ac3, bytes: [0x0B, 0x77]), Signature(.dts, "DTSHDHDR"),
      // The core of DTS in words of 16 or 14 bits, either byte first (ETSI TS 102 114, 6.1.3.1).
      Signature(.dts, bytes: [0x7F, 0xFE, 0x80, 0x01]), Signature(.dts, bytes: [0xFE, 0x7F, 0x01, 0x80]),
      Signature(.dts, bytes: [0x1F, 0xFF, 0xE8, 0x00]), Signature(.dts, bytes: [0xFF, 0x1F, 0x00, 0xE8]),
      Signature(.au, ".snd"), Signature(.shorten, "ajkg"),
      Signature(.module, "Extended Module: "), Signature(.module, "IMPM"), Signature(.module, "tpm."),
      Signature(.module, "SCRM", at: 44),
    ] + moduleMarks.map { Signature(.module, $0, at: 1080) }

  /// The marks of ProTracker's modules and of those with more channels, after 31 samples and the order of patterns.
  private static let moduleMarks = [
    "M.K.", "M!K!", "M&K!", "FLT4", "FLT8", "OCTA", "CD81", "2CHN", "4CHN", "6CHN", "8CHN", "10CH", "12CH", "14CH",
    "16CH", "18CH", "20CH", "22CH", "24CH", "26CH", "28CH", "30CH", "32CH",
  ]
}

/// Looks for two frames of MPEG audio, or of AAC, the second of which begins where the first one ends.
private struct FrameSearch {
  let container: AudioContainer?

  init(_ head: [UInt8]) {
    var found: AudioContainer?
    for place in head.indices.dropLast(6) where head[place] == 0xFF {
      guard let frame = Self.frame(head, at: place), let next = Self.frame(head, at: place + frame.length),
        next.container == frame.container
      else { continue }
      found = frame.container
      break
    }
    container = found
  }

  /// Returns the kind and length of the frame at a place; nil if there is none.
  private static func frame(_ head: [UInt8], at place: Int) -> (container: AudioContainer, length: Int)? {
    guard place + 6 < head.count, head[place] == 0xFF, head[place + 1] & 0xE0 == 0xE0 else { return nil }
    let header = head[place..<place + 6].map { Int($0) }
    let layer = header[1] >> 1 & 3
    if header[1] & 0xF6 == 0xF0 {
      let length = (header[3] & 3) << 11 | header[4] << 3 | header[5] >> 5
      return header[2] >> 2 & 15 < 13 && length > 7 ? (.aac, length) : nil
    }
    let (version, rate, index) = (header[1] >> 3 & 3, header[2] >> 2 & 3, header[2] >> 4)
    guard layer != 0, version != 1, rate != 3, (1...14).contains(index) else { return nil }
    let hertz = [44_100, 48_000, 32_000][rate] >> (version == 3 ? 0 : version == 2 ? 1 : 2)
    let bits = Self.bitRates(layer: 4 - layer, isFirstVersion: version == 3)[index - 1] * 1000
    let padding = header[2] >> 1 & 1
    switch layer {
    case 3: return (.mp3, (12 * bits / hertz + padding) * 4)
    case 1 where version != 3: return (.mp3, 72 * bits / hertz + padding)
    default: return (.mp3, 144 * bits / hertz + padding)
    }
  }

  /// Returns the bit rates in kbit/s of a layer, for the indexes 1 to 14 (ISO 11172-3, 2.4.2.3; ISO 13818-3, 2.4.2.3).
  private static func bitRates(layer: Int, isFirstVersion: Bool) -> [Int] {
    switch (layer, isFirstVersion) {
    case (1, true): [32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448]
    case (2, true): [32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384]
    case (3, true): [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320]
    case (1, false): [32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256]
    default: [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160]
    }
  }
}
