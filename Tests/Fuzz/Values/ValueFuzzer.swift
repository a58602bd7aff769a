import ListFiles
import Messages
import Model
import MusicTags
import TestSupport

/// Interprets random values as the library interprets those of files, and checks the rules that hold for all of them.
/// The first rule is that it returns at all.
struct ValueFuzzer {
  private var generator: ValueGenerator
  private var rules = TagRules.default
  private var interpreter = TagInterpreter(.default)
  /// The number of files whose tags had at least a name.
  private(set) var named = 0

  init(seed: UInt64) { generator = ValueGenerator(seed: seed) }

  /// Interprets the tags of some files, and lists.
  ///
  /// - Returns: what did not hold, or nil.
  mutating func run(_ count: Int) -> String? {
    for number in 0..<count {
      if number % 50 == 0 {
        rules = TagRules(
          artistSeparators: generator.list(), genreSeparators: generator.list(), keptNames: generator.list())
        if generator.below(2) == 0 { rules = .default }
        if generator.below(2) == 0 { rules = rules.keeping(generator.list()) }
        interpreter = TagInterpreter(rules)
      }
      if let fault = checkFile() { return "file \(number): \(fault)" }
      if let fault = checkNames() { return "names \(number): \(fault)" }
      if number % 4 == 0, let fault = checkList() { return "list \(number): \(fault)" }
    }
    return nil
  }

  private mutating func checkFile() -> String? {
    let properties = generator.properties()
    let name = generator.fileName()
    var answer = TagReading.Answer(.read)
    answer.text = properties
    answer.audio.sampleRate = generator.below(200_000)
    interpreter.interpret(&answer, of: name)
    guard answer.outcome == .read else { return "\(properties) are too long" }
    // The library reads the answer, and may split it by other rules by then.
    let packed = String(decoding: answer.text, as: UTF8.self)
    let metadata = FileMetadata(
      packed: packed, folder: generator.fileName(), name: name, generator.below(2) == 0 ? rules : .default)
    if !metadata.tags.isEmpty { named += 1 }
    if metadata.disc < 1 || metadata.number ?? 1 < 1 { return "\(properties) have no place" }
    if let year = metadata.year, !(1000...2999).contains(year) { return "\(properties) are of the year \(year)" }
    if metadata.artists.contains(where: \.name.isEmpty) { return "\(properties) have an artist without a name" }
    switch generator.below(4) {
    case 0: _ = metadata.countDerived()
    case 1: if FileTags(packed: packed).packed != packed { return "\(properties) are stored as other tags" }
    // A text that no reader produces.
    case 2: _ = FileMetadata(packed: "\u{1C}\(generator.text())", folder: [], name: name, rules).countDerived()
    default: break
    }
    return nil
  }

  private mutating func checkNames() -> String? {
    let value = generator.text()
    for splitter in [rules.artists, rules.genres, rules.slashes] {
      let names = splitter.split(value)
      if names.isEmpty || names.count > 1 && names.contains(where: \.isEmpty) { return "\(value): \(names)" }
      // Nothing but separators, blanks and a closing bracket is left out, and nothing is there twice.
      let length = names.reduce(0) { $0 + $1.utf8.count }
      if length > value.utf8.count { return "\(value): \(names)" }
      if splitter.withoutFeatured(value).utf8.count > value.utf8.count { return "\(value) grows" }
      _ = (splitter.featured(inTitle: value), splitter.words(in: [value, value]), splitter.contains(value))
    }
    return nil
  }

  /// Reads lists of all formats, with random values in their places.
  private mutating func checkList() -> String? {
    var (bytes, name): ([UInt8], String)
    func line(_ begin: String) -> [UInt8] { Array(begin.utf8) + generator.value() + [10] }
    switch generator.below(4) {
    case 0: (bytes, name) = (line("#EXTM3U") + line("#EXTINF:") + line("#EXTINF:12,") + line("") + line("#"), "x.m3u8")
    case 1:
      (bytes, name) = (
        Array("[playlist]\n".utf8) + line("File1=") + line("Title1=") + line("Length1=") + line("File") + line(""),
        "x.pls"
      )
    case 2:
      (bytes, name) = (
        Array("<playlist version=\"1\" xmlns=\"http://xspf.org/ns/0/\"><trackList><track><title>".utf8)
          + generator.value() + Array("</title><duration>".utf8) + generator.value()
          + Array("</duration><location>".utf8) + generator.value()
          + Array("</location></track></trackList></playlist>".utf8),
        "x.xspf"
      )
    default:
      (bytes, name) = (
        Array("{\"playlist\":{\"track\":[{\"title\":\"".utf8) + generator.value() + Array("\",\"duration\":".utf8)
          + generator.value() + Array("},{\"durationMs\":\"".utf8) + generator.value() + Array("\"}]}}".utf8), "x.jspf"
      )
    }
    do throws(LunaraError) {
      let list = try ListFile(bytes, name: name)
      let isPossible = list.tracks.allSatisfy { $0.duration.map { $0 >= .zero } ?? true }
      return isPossible ? nil : "\(bytes) has an impossible length"
    } catch {
      return error.code.hasPrefix("library.") ? nil : "\(error)"
    }
  }
}
