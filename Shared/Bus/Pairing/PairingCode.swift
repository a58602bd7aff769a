import CSodium

/// The code that a person carries from one machine to another: 40 random bits, written as `K7QM-3XPD`.
///
/// So few are enough, since nothing that is said lets anybody try codes but by asking, and five wrong ones end it. The
/// letters are Crockford's base 32: none of them looks like a digit, and what is typed for one is taken as the digit.
public struct PairingCode: Hashable, Sendable {
  private static let letters = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ".utf8)
  private static let count = 8

  /// The eight letters.
  private let symbols: [UInt8]

  /// Draws one.
  public static func random() -> PairingCode {
    var bytes = [UInt8](repeating: 0, count: count)
    randombytes_buf(&bytes, count)
    // 256 is eight times 32, so every letter is as likely.
    return PairingCode(symbols: bytes.map { letters[Int($0 & 31)] })
  }

  private init(symbols: [UInt8]) { self.symbols = symbols }

  /// Reads what a person typed: small letters, spaces, dashes, and O, I, L for the digits they look like; nil for what
  /// is no code.
  public init?(_ text: String) {
    var symbols: [UInt8] = []
    for byte in text.utf8 {
      let upper = (97...122).contains(byte) ? byte - 32 : byte
      switch upper {
      case UInt8(ascii: " "), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."): continue
      case UInt8(ascii: "O"): symbols.append(UInt8(ascii: "0"))
      case UInt8(ascii: "I"), UInt8(ascii: "L"): symbols.append(UInt8(ascii: "1"))
      default:
        guard Self.letters.contains(upper), symbols.count < Self.count else { return nil }
        symbols.append(upper)
      }
    }
    guard symbols.count == Self.count else { return nil }
    self.symbols = symbols
  }

  /// How it is shown: for the eyes of who pairs machines, never for a log.
  public var text: String {
    String(decoding: symbols.prefix(4), as: UTF8.self) + "-" + String(decoding: symbols.suffix(4), as: UTF8.self)
  }

  /// What both sides feed to the exchange.
  var password: [UInt8] { symbols }
}

extension PairingCode: CustomStringConvertible, CustomReflectable {
  /// Nothing of it, so that no log shows it.
  public var description: String { "a code" }
  /// Shows nothing.
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}
