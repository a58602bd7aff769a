/// Files of formats that ffmpeg does not write.
public enum RareFiles {
  /// A DSF file (Sony, "DSF File Format Specification", 1.01): silence in DSD64, and an ID3 tag.
  public static func dsf(blocks: Int, tag: [UInt8] = []) -> [UInt8] {
    let (channels, block) = (2, 4096)
    let data = [UInt8](repeating: 0x69, count: blocks * block * channels)
    let whole = 28 + 52 + 12 + data.count
    var bytes = Array("DSD ".utf8) + little(28, 8) + little(whole + tag.count, 8)
    bytes += little(tag.isEmpty ? 0 : whole, 8)
    bytes += Array("fmt ".utf8) + little(52, 8) + little(1, 4) + little(0, 4) + little(2, 4) + little(channels, 4)
    bytes += little(2_822_400, 4) + little(1, 4) + little(blocks * block * 8, 8) + little(block, 4) + little(0, 4)
    return bytes + Array("data".utf8) + little(12 + data.count, 8) + data + tag
  }

  /// A DFF file (Philips, "DSDIFF", 1.5): silence in DSD64, with a title and an artist.
  public static func dff(seconds: Int, tag: [UInt8] = []) -> [UInt8] {
    func chunk(_ name: String, _ body: [UInt8]) -> [UInt8] {
      Array(name.utf8) + big(body.count, 8) + body + (body.count % 2 == 0 ? [] : [0])
    }
    func text(_ name: String, _ value: String) -> [UInt8] {
      chunk(name, big(value.utf8.count, 4) + Array(value.utf8))
    }
    let compression = Array("DSD ".utf8) + [14] + Array("not compressed".utf8) + [0]
    let properties =
      Array("SND ".utf8) + chunk("FS  ", big(2_822_400, 4))
      + chunk("CHNL", big(2, 2) + Array("SLFTSRGT".utf8)) + chunk("CMPR", compression)
    let body =
      Array("DSD ".utf8) + chunk("FVER", [1, 5, 0, 0]) + chunk("PROP", properties)
      + chunk("DSD ", [UInt8](repeating: 0x69, count: seconds * 2_822_400 / 8 * 2))
      + chunk("DIIN", text("DIAR", "Ärtist") + text("DITI", "Tïtel")) + (tag.isEmpty ? [] : chunk("ID3 ", tag))
    return Array("FRM8".utf8) + big(body.count, 8) + body
  }

  /// A ProTracker module of one pattern, which lasts 7.68 seconds at its 125 beats and 6 ticks a row.
  public static func module(title: String) -> [UInt8] {
    func padded(_ text: String, _ length: Int) -> [UInt8] {
      Array((Array(text.utf8) + [UInt8](repeating: 0, count: length)).prefix(length))
    }
    // A sample of a square wave, without finetune, at full volume, that is repeated as a whole.
    let sample = padded("square", 22) + big(16, 2) + [0, 64] + big(0, 2) + big(16, 2)
    let silent = padded("", 22) + big(0, 2) + [0, 0] + big(0, 2) + big(1, 2)
    let order = [UInt8(1), 127] + [UInt8](repeating: 0, count: 128)
    let note: [UInt8] = [0x00 | 0x01, 0xAC, 0x10, 0x00]
    let pattern = note + [UInt8](repeating: 0, count: 1024 - note.count)
    let wave = (0..<32).map { UInt8($0 < 16 ? 64 : 192) }
    return padded(title, 20) + sample + (0..<30).flatMap { _ in silent } + order + Array("M.K.".utf8) + pattern + wave
  }

  private static func little(_ number: Int, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
  }

  /// The first bytes of formats that no program here writes, up to the last byte by which they are known.
  public static let heads: [String: [UInt8]] = [
    "ape": Array("MAC ".utf8), "mpc": Array("MPCK".utf8), "mp+": Array("MP+".utf8), "mpp": Array("MP+".utf8),
    "tak": Array("tBaK".utf8), "shn": Array("ajkg".utf8), "xm": Array("Extended Module: ".utf8),
    "it": Array("IMPM".utf8), "mptm": Array("tpm.".utf8), "s3m": [UInt8](repeating: 0, count: 44) + Array("SCRM".utf8),
    "dtshd": Array("DTSHDHDR".utf8),
  ]

  private static func big(_ number: Int, _ count: Int) -> [UInt8] { little(number, count).reversed() }
}
