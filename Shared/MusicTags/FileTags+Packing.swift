import Model
import Text

/// Visits the fields of `FileTags`.
protocol FileTagsVisitor {
  mutating func visit(_ code: StaticString, _ value: inout String?)
  mutating func visit(_ code: StaticString, _ value: inout [String])
  mutating func visit(_ code: StaticString, _ value: inout Int?)
  mutating func visit(_ code: StaticString, _ value: inout Double?)
  mutating func visit(_ code: StaticString, _ value: inout Bool)
}

/// Tags as one text for the store: a mark, and each field that has a value as its code, the value and U+001F; the parts
/// of a list end with U+001E.
extension FileTags {
  /// The first character, which texts of versions before the codes do not have.
  private static let mark: UInt8 = 0x1C

  package var packed: String {
    var packer = Packer()
    packer.bytes.append(Self.mark)
    var tags = self
    tags.visitFields(&packer)
    return String(decoding: packer.bytes, as: UTF8.self)
  }

  /// Reads the text of `packed`. Fields of unknown codes are left out; a text without the mark has no fields.
  package init(packed: String) {
    self.init()
    var packed = packed
    packed.withUTF8 { bytes in
      guard bytes.first == Self.mark else { return }
      var unpacker = Unpacker(fields: bytes.dropFirst().split(separator: 0x1F))
      visitFields(&unpacker)
    }
  }

  private struct Packer: FileTagsVisitor {
    var bytes: [UInt8] = []

    init() { bytes.reserveCapacity(512) }

    private mutating func append(_ code: StaticString, _ value: String) {
      code.withUTF8Buffer { bytes += $0 }
      bytes += value.utf8
      bytes.append(0x1F)
    }

    mutating func visit(_ code: StaticString, _ value: inout String?) { if let value { append(code, value) } }
    mutating func visit(_ code: StaticString, _ value: inout Int?) { if let value { append(code, String(value)) } }
    mutating func visit(_ code: StaticString, _ value: inout Double?) { if let value { append(code, "\(value)") } }
    mutating func visit(_ code: StaticString, _ value: inout Bool) { if value { append(code, "") } }
    mutating func visit(_ code: StaticString, _ value: inout [String]) {
      guard !value.isEmpty else { return }
      code.withUTF8Buffer { bytes += $0 }
      for part in value {
        bytes += part.utf8
        bytes.append(0x1E)
      }
      bytes.append(0x1F)
    }
  }

  private struct Unpacker: FileTagsVisitor {
    /// The fields in the order in which they are visited, each with its code.
    let fields: [Slice<UnsafeBufferPointer<UInt8>>]
    /// The codes of the fields: most fields have no value, so a code is looked for more often than it is found.
    private let codes: [UInt16]
    /// The first field that was not taken yet.
    private var next = 0

    init(fields: [Slice<UnsafeBufferPointer<UInt8>>]) {
      self.fields = fields
      codes = fields.map { $0.prefix(2).reduce(0) { $0 << 8 | UInt16($1) } }
    }

    /// Returns the value of a field that comes after those that were visited; nil if there is none.
    private mutating func value(_ code: StaticString) -> Slice<UnsafeBufferPointer<UInt8>>? {
      let wanted = code.withUTF8Buffer { UInt16($0[0]) << 8 | UInt16($0[1]) }
      guard let found = codes[next...].firstIndex(of: wanted) else { return nil }
      next = found + 1
      return fields[found].dropFirst(2)
    }

    private mutating func text(_ code: StaticString) -> String? {
      value(code).map { String(decoding: $0, as: UTF8.self) }
    }

    mutating func visit(_ code: StaticString, _ value: inout String?) { value = text(code) }
    mutating func visit(_ code: StaticString, _ value: inout Int?) { value = text(code).flatMap { Int($0) } }
    mutating func visit(_ code: StaticString, _ value: inout Double?) { value = text(code).flatMap { Double($0) } }
    mutating func visit(_ code: StaticString, _ value: inout Bool) { value = self.value(code) != nil }
    mutating func visit(_ code: StaticString, _ value: inout [String]) {
      value = self.value(code)?.split(separator: 0x1E).map { String(decoding: $0, as: UTF8.self) } ?? []
    }
  }
}

extension CreditTag {
  /// The role's number, the name, the sort name and the instrument, with U+001D between.
  var packed: String { "\(role.number ?? 0)\u{1D}\(name)\u{1D}\(sort ?? "")\u{1D}\(instrument ?? "")" }

  init?(packed: String) {
    let parts = packed.utf8.split(separator: 0x1D, omittingEmptySubsequences: false).map { String(Substring($0)) }
    guard parts.count == 4, let role = Int(parts[0]).flatMap(CreditRole.init(number:)) else { return nil }
    self.init(
      role: role, name: parts[1], sort: parts[2].isEmpty ? nil : parts[2],
      instrument: parts[3].isEmpty ? nil : parts[3])
  }
}
