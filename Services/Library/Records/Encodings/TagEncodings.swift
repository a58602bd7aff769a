import Model

/// The encodings in which tags are that claim to be Latin-1, by folder. ID3v1, frames of ID3v2 with the encoding 0 and
/// RIFF INFO know no others, and programs wrote the encoding of their system there.
package struct TagEncodings: Hashable, Sendable {
  /// An encoding, and the folder whose files have it; nil for all files that no folder covers.
  struct Rule: Hashable, Sendable {
    /// A key of `TagEncodings.names`.
    var encoding: String
    var folder: [UInt8]?
  }

  var rules: [Rule]

  init(rules: [Rule]) { self.rules = rules }

  package init() { self.init(rules: []) }

  /// The encodings that can be set, with their names in iconv(3). Those of Windows stand for the standards that they
  /// extend. Encodings with states, such as ISO-2022-JP, are left out: no tag is in them.
  static let names: [String: String] = {
    var names = [
      "utf-8": "UTF-8", "koi8-r": "KOI8-R", "koi8-u": "KOI8-U", "cp866": "CP866", "cp850": "CP850", "cp437": "CP437",
      "cp852": "CP852", "cp874": "CP874", "tis-620": "TIS-620", "macintosh": "MACINTOSH", "shift-jis": "CP932",
      "euc-jp": "EUC-JP", "gbk": "GB18030", "big5": "CP950", "euc-kr": "UHC",
    ]
    for number in 1250...1258 { names["cp\(number)"] = "CP\(number)" }
    for number in Array(2...11) + Array(13...16) { names["iso-8859-\(number)"] = "ISO-8859-\(number)" }
    return names
  }()

  /// Other names of some encodings.
  private static let otherNames = [
    "sjis": "shift-jis", "shiftjis": "shift-jis", "cp932": "shift-jis", "eucjp": "euc-jp", "gb2312": "gbk",
    "gb18030": "gbk", "cp936": "gbk", "cp950": "big5", "euckr": "euc-kr", "cp949": "euc-kr", "uhc": "euc-kr",
    "koi8r": "koi8-r", "koi8u": "koi8-u", "utf8": "utf-8",
  ]

  /// Returns the key of an encoding by any of its names; nil for an unknown one.
  static func key(of name: String) -> String? {
    var name = String(name.lowercased().map { $0 == "_" ? "-" : $0 })
    for prefix in ["windows-", "cp-"] where name.hasPrefix(prefix) { name = "cp" + name.dropFirst(prefix.count) }
    if names[name] != nil { return name }
    return otherNames[name]
  }

  /// The encodings that are used, each once; the number of one is its place, from 1 on.
  private var used: [String] {
    rules.reduce(into: []) { if !$0.contains($1.encoding) { $0.append($1.encoding) } }
  }

  /// The arguments of `lunara-tags`.
  package var arguments: [String] { rules.isEmpty ? [] : ["--encodings"] + used.compactMap { Self.names[$0] } }

  /// Returns the number of the encoding of a file or folder: that of the deepest folder that holds it, else that
  /// without a folder; 0 where there is none.
  package func number(at path: [UInt8]) -> UInt8 {
    guard let name = name(at: path) else { return 0 }
    return UInt8(clamping: (used.firstIndex(of: name) ?? -1) + 1)
  }

  /// Returns the encoding of a file or folder, as `names` calls it; nil if there is none.
  package func name(at path: [UInt8]) -> String? {
    let fitting = rules.filter { rule in rule.folder.map { FilePath.isWithin(path, $0) } ?? true }
    return fitting.max { ($0.folder?.count ?? -1) < ($1.folder?.count ?? -1) }?.encoding
  }
}
