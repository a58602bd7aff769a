import Model
package import MusicTags

/// Tells in which encoding text probably is that claims to be Latin-1. A pure function of the text.
///
/// Each encoding has a model of what its languages write, as the bits by which a byte or a character is coded: few for
/// what is frequent. The encoding is named that needs the fewest bits, if these are clearly fewer than those that
/// Latin-1 needs. French, German or Swedish in Latin-1 has single letters beyond ASCII among others; in other encodings
/// whole words are made of them.
enum EncodingDetection {
  /// The fewest different bytes beyond ASCII from which anything is concluded. `ÄÖÜ` in capitals has three.
  private static let fewestBytes = 4
  /// The fewest bytes that are control characters in Latin-1, and no signs in Windows-1252, that are enough, too.
  private static let fewestControls = 3
  /// The bits that an encoding has to save: altogether, and for each byte beyond ASCII.
  private static let savings = (whole: 18.0, byte: 2.5)

  /// Returns the encoding of some values, as `TagEncodings.names` calls it; nil if they are probably Latin-1.
  /// Values that have letters beyond Latin-1 are left out: other encodings were stated for them.
  static func likelyEncoding(of values: [String]) -> String? {
    let legacy = Set(values).compactMap(bytes).sorted { $0.lexicographicallyPrecedes($1) }
    let count = legacy.reduce(0) { $0 + $1.count { $0 >= 0x80 } }
    let controls = legacy.reduce(0) { $0 + $1.count { 0x80..<0xA0 ~= $0 && !LatinModel.signs.contains($0) } }
    let different = Set(legacy.flatMap { $0.filter { $0 >= 0x80 } }).count
    guard different >= fewestBytes || controls >= fewestControls else { return nil }
    func bits(_ model: some ByteModel) -> Double { legacy.reduce(0) { $0 + model.bits(of: $1) } }
    // Two encodings are rare in tags.
    let rareness = 8.0
    let models: [(name: String, bits: Double)] = [
      ("cp1251", bits(AlphabetModel.cp1251)), ("koi8-r", bits(AlphabetModel.koi8) + rareness),
      ("cp1253", bits(AlphabetModel.greek)), ("shift-jis", bits(PairModel(encoding: .shiftJIS))),
      ("euc-jp", bits(PairModel(encoding: .eucJP)) + rareness), ("gbk", bits(PairModel(encoding: .gbk))),
      ("big5", bits(PairModel(encoding: .big5))), ("euc-kr", bits(PairModel(encoding: .eucKR))),
    ]
    guard let best = models.min(by: { $0.bits < $1.bits }) else { return nil }
    let saved = bits(LatinModel()) - best.bits
    return saved >= max(savings.whole, savings.byte * Double(count)) ? best.name : nil
  }

  /// Returns the bytes of a value in Latin-1, up to 200; nil if it has none beyond ASCII, or other letters.
  private static func bytes(_ value: String) -> [UInt8]? {
    guard value.utf8.contains(where: { $0 >= 0x80 }) else { return nil }
    var bytes: [UInt8] = []
    for scalar in value.unicodeScalars.prefix(200) {
      guard let byte = UInt8(exactly: scalar.value) else { return nil }
      bytes.append(byte)
    }
    return bytes
  }
}

extension FileTags {
  /// The encoding in which the values probably are that claim to be Latin-1; nil if they seem to be Latin-1.
  package var likelyEncoding: String? {
    guard audio.hasLegacyText else { return nil }
    let names = [title.title, title.subtitle, albumName.title, words.comment].compactMap(\.self)
    return EncodingDetection.likelyEncoding(of: names + artists.names + albumArtists.names + people.map(\.name))
  }
}

/// A model of the bytes that an encoding has in titles and names.
private protocol ByteModel {
  /// Returns the bits by which the bytes of a value are coded.
  func bits(of bytes: [UInt8]) -> Double
}

/// The bits of a byte of ASCII, in all models.
private let bitsOfASCII = 4.5

private func isASCIILetter(_ byte: UInt8) -> Bool { (byte | 0x20) &- 97 < 26 }

/// Latin-1 and Windows-1252.
private struct LatinModel: ByteModel {
  private static let letters = Set(0xC0...0xFF as ClosedRange<UInt8>).subtracting([0xD7, 0xF7])
  /// Signs that stand in titles: quotation marks, dashes, dots, ¡ ¿ « » ° · © ® and the blank that does not break.
  static let signs: Set<UInt8> = [
    0x85, 0x91, 0x92, 0x93, 0x94, 0x96, 0x97, 0xA0, 0xA1, 0xA9, 0xAB, 0xAE, 0xB0, 0xB4, 0xB7, 0xBB, 0xBF,
  ]

  func bits(of bytes: [UInt8]) -> Double {
    var bits = 0.0
    // The bytes beyond ASCII before this one without another between.
    var run = 0
    for byte in bytes {
      if byte < 0x80 {
        bits += bitsOfASCII
        run = 0
        continue
      }
      bits += Self.letters.contains(byte) ? byte >= 0xE0 ? 7 : 8 : Self.signs.contains(byte) ? 8 : 13
      bits += [0, 3, 6][min(run, 2)]
      run += 1
    }
    return bits
  }
}

/// An alphabet of which each letter is one byte.
private struct AlphabetModel: ByteModel {
  private struct Letter {
    var bits: Double
    var isCapital: Bool
  }

  private var letters = [Letter?](repeating: nil, count: 256)

  /// - Parameters:
  ///   - frequent: the small letters, the most frequent first.
  ///   - rows: small letters in the order of their codes, with the code of the first, and the distance to their
  ///     capitals; 0 where they have none in the row.
  ///   - others: other letters, which are rare.
  private init(frequent: String, rows: [(first: UInt8, capitals: Int, letters: String)], others: [UInt8] = []) {
    let ranks = Dictionary(frequent.enumerated().map { ($1, $0) }) { first, _ in first }
    for byte in others { letters[Int(byte)] = Letter(bits: 7, isCapital: false) }
    for row in rows {
      for (index, letter) in row.letters.enumerated() {
        let bits = 3.2 + 0.16 * Double(ranks[letter] ?? 34)
        let code = Int(row.first) + index
        letters[code] = Letter(bits: bits, isCapital: false)
        if row.capitals != 0 { letters[code + row.capitals] = Letter(bits: bits, isCapital: true) }
      }
    }
  }

  private static let russian = "оеаинтсрвлкмдпуяыьгзбчйхжшюцщэфъё"
  static let cp1251 = AlphabetModel(
    frequent: russian, rows: [(0xE0, -0x20, "абвгдежзийклмнопрстуфхцчшщъыьэюя"), (0xB8, -0x10, "ё")],
    // Letters of Ukrainian and Belarusian.
    others: [0xA1, 0xA2, 0xA5, 0xAA, 0xAF, 0xB2, 0xB3, 0xB4, 0xBA, 0xBF])
  static let koi8 = AlphabetModel(
    frequent: russian, rows: [(0xC0, 0x20, "юабцдефгхийклмнопярстужвьызшэщчъ"), (0xA3, 0x10, "ё")])
  static let greek = AlphabetModel(
    frequent: "αοιτενσςηρπκυμλίωάδγέόχθήφύβώξζψϊϋΐΰ",
    rows: [
      (0xE1, -0x20, "αβγδεζηθικλμνξοπρ"), (0xF2, 0, "ς"), (0xF3, -0x20, "στυφχψω"), (0xFA, 0, "ϊϋόύώ"),
      (0xDC, 0, "άέήίΰ"),
    ],
    // Capitals with accents.
    others: [0xA2, 0xB6, 0xB8, 0xB9, 0xBA, 0xBC, 0xBE, 0xBF])

  func bits(of bytes: [UInt8]) -> Double {
    var bits = 0.0
    var before: Letter?
    var isAfterASCIILetter = false
    for byte in bytes {
      guard byte >= 0x80 else {
        // Nobody writes a word in two alphabets.
        bits += bitsOfASCII + (before != nil && isASCIILetter(byte) ? 7 : 0)
        before = nil
        isAfterASCIILetter = isASCIILetter(byte)
        continue
      }
      if let letter = letters[Int(byte)] {
        bits += letter.bits + (isAfterASCIILetter ? 7 : 0)
        if letter.isCapital { bits += before.map { $0.isCapital ? 1 : 5 } ?? 2.5 }
        before = letter
      } else {
        // Quotation marks and dashes are where Windows-1252 has them.
        bits += [0x85, 0x91, 0x92, 0x93, 0x94, 0x96, 0x97, 0xA0, 0xAB, 0xBB].contains(byte) ? 9 : 16
        before = nil
      }
      isAfterASCIILetter = false
    }
    return bits
  }
}

/// An encoding whose characters are one or two bytes.
private struct PairModel: ByteModel {
  enum Encoding {
    case shiftJIS, eucJP, gbk, big5, eucKR
  }

  let encoding: Encoding

  func bits(of bytes: [UInt8]) -> Double {
    var bits = 0.0
    var index = 0
    var isAfterLetter = false
    while index < bytes.count {
      let first = bytes[index]
      if first < 0x80 {
        bits += bitsOfASCII
        isAfterLetter = isASCIILetter(first)
        index += 1
      } else if index + 1 < bytes.count, let pair = self.bits(first, bytes[index + 1]) {
        index += 2
        let isBeforeLetter = index < bytes.count && isASCIILetter(bytes[index])
        bits += pair + (isAfterLetter ? 4 : 0) + (isBeforeLetter ? 4 : 0)
        isAfterLetter = false
      } else {
        // A half character at the end is what a tag of a fixed length left of it.
        let isKana = encoding == .shiftJIS && 0xA1...0xDF ~= first
        bits += isKana ? 11 : index + 1 == bytes.count ? 8 : 25
        isAfterLetter = false
        index += 1
      }
    }
    return bits
  }

  /// Returns the bits of a character of two bytes; nil if they are none.
  private func bits(_ first: UInt8, _ second: UInt8) -> Double? {
    let code = UInt16(first) << 8 | UInt16(second)
    switch encoding {
    case .shiftJIS: return Self.shiftJIS(code, first, second)
    case .eucJP: return Self.eucJP(first, second)
    case .gbk:
      guard 0x81...0xFE ~= first, 0x40...0xFE ~= second, second != 0x7F else { return nil }
      if FrequentCharacters.gbk.contains(code) { return 7 }
      guard first >= 0xA1, second >= 0xA1 else { return 19 }
      return switch first {
      case 0xA1, 0xA3: 9
      case 0xB0...0xD7: 12
      case 0xD8...0xF7: 17
      default: 15
      }
    case .big5:
      guard 0xA1...0xF9 ~= first, 0x40...0x7E ~= second || 0xA1...0xFE ~= second else { return nil }
      if FrequentCharacters.big5.contains(code) { return 7 }
      return first <= 0xA3 ? 10 : first <= 0xC6 ? 12.5 : 17.5
    case .eucKR:
      guard 0xA1...0xFD ~= first, 0xA1...0xFE ~= second else { return nil }
      if FrequentCharacters.eucKR.contains(code) { return 6.5 }
      return 0xB0...0xC8 ~= first ? 12 : first <= 0xA3 ? 10 : 17
    }
  }

  private static func shiftJIS(_ code: UInt16, _ first: UInt8, _ second: UInt8) -> Double? {
    guard 0x81...0x9F ~= first || 0xE0...0xFC ~= first, 0x40...0xFC ~= second, second != 0x7F else { return nil }
    return switch code {
    case 0x829F...0x82F1: 7
    case 0x8340...0x8396: 8
    case 0x8140...0x81AC: 8.5
    case 0x824F...0x829A: 10
    case 0x889F...0x9872: 12
    default: 17
    }
  }

  private static func eucJP(_ first: UInt8, _ second: UInt8) -> Double? {
    if first == 0x8E { return 0xA1...0xDF ~= second ? 12 : nil }
    guard 0xA1...0xF4 ~= first, 0xA1...0xFE ~= second else { return nil }
    return switch first {
    case 0xA1, 0xA3: 9
    case 0xA4: 7
    case 0xA5: 8
    case 0xB0...0xCF: 12
    default: 17
    }
  }
}
