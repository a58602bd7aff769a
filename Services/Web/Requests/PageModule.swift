/// A JavaScript module of the page, taken apart as far as `PageBundle` needs it to join modules.
///
/// The modules of the page keep to a narrow form of what JavaScript allows: all imports stand before other code, each
/// is `import { a, b as c } from './x.js';`, and what a module exports is marked where it is declared, as a function, a
/// class or a constant. Another form is refused (`SyntaxError`).
struct PageModule {
  /// An import of another module of the page.
  struct Import {
    /// The file of the imported module, such as `core/dom.js`.
    let file: String
    /// The imported names, in the order in which they stand; `local` is the name that the import gives them.
    let names: [(exported: String, local: String)]
    /// The import as it is written, without the semicolon.
    let text: Substring
  }

  /// Something in a module that keeps it from being joined with others.
  struct SyntaxError: Error {
    /// The file and what is wrong with it, for the log.
    let text: String
  }

  /// The path of the file from the page's folder, such as `core/store.js`.
  let file: String
  let imports: [Import]
  /// The names that the module exports, in the order of their declarations.
  let exports: [String]
  /// The comment before the imports, with its line ends.
  private let heading: Substring
  /// The code after the imports.
  private let code: Substring

  /// Takes a module apart. `file` is its path from the page's folder.
  init(file: String, text: String) throws(SyntaxError) {
    var rest = Substring(text)
    var imports: [Import] = []
    let heading = Self.takeComment(from: &rest)
    while rest.hasPrefix("import ") {
      guard let end = rest.utf8.firstRange(of: ";\n".utf8) else {
        throw SyntaxError(text: "\(file): an import has no end.")
      }
      imports.append(try Self.parseImport(rest[..<end.lowerBound], in: file))
      rest = rest[end.upperBound...]
    }
    var exports: [String] = []
    for line in Self.lines(of: rest) {
      guard !line.hasPrefix("import ") else {
        throw SyntaxError(text: "\(file): an import stands after other code: \(line)")
      }
      if line.hasPrefix("export ") { exports.append(try Self.exportedName(line, in: file)) }
    }
    self.file = file
    self.imports = imports
    self.exports = exports
    self.heading = heading
    self.code = rest
  }

  /// Returns the name of the constant in the bundle that holds what a module exports, such as `$core_store`. With a
  /// version it is the name by which that version of the bundle exports it, such as `$core_store_1a2b`.
  static func constant(of file: String, version: String? = nil) -> String {
    "$\(file.dropLast(".js".count).replacing("/", with: "_"))\(version.map { "_\($0)" } ?? "")"
  }

  /// Returns the module as a part of the bundle of `members`: a function that is called at once and returns what the
  /// module exports, so that its other names remain its own.
  func part(of members: Set<String>) throws(SyntaxError) -> String {
    var text = "// \(file)\nconst \(Self.constant(of: file)) = (() => {\n"
    text += imports.map { "const { \(Self.pattern($0)) } = \(Self.constant(of: $0.file));\n" }.joined()
    for line in try Self.withoutComments(code, in: file) {
      text += line.hasPrefix("export ") ? line.dropFirst("export ".count) : line
      text += "\n"
    }
    if !exports.isEmpty { text += "return { \(exports.joined(separator: ", ")) };\n" }
    text += "})();\n"
    return replacingDynamicImports(in: text, isAtRoot: true) { members.contains($0) ? Self.constant(of: $0) : nil }
  }

  /// Returns the module for its own file, where what it imports from `members` comes from a version of their bundle.
  func text(beside members: Set<String>, in bundle: String, version: String) -> String {
    var constants: Set<String> = []
    var own = ""
    var bound = ""
    for one in imports {
      if members.contains(one.file) {
        let constant = Self.constant(of: one.file, version: version)
        constants.insert(constant)
        bound += "const { \(Self.pattern(one)) } = \(constant);\n"
      } else {
        own += "\(one.text);\n"
      }
    }
    let code = replacingDynamicImports(in: String(code), isAtRoot: false) { name in
      guard members.contains(name) else { return nil }
      let constant = Self.constant(of: name, version: version)
      constants.insert(constant)
      return constant
    }
    guard !constants.isEmpty else { return "\(heading)\(own)\(code)" }
    let fromBundle =
      "import { \(constants.sorted().joined(separator: ", ")) } from '\(Self.specifier(bundle, from: file))';\n"
    return "\(heading)\(own)\(fromBundle)\(bound)\(code)"
  }

  /// Returns the text of the file of a module that is in the bundle: it exports what the bundle holds.
  func reference(to bundle: String, version: String) -> String {
    let constant = Self.constant(of: file, version: version)
    return "import { \(constant) } from '\(Self.specifier(bundle, from: file))';\n"
      + "export const { \(exports.joined(separator: ", ")) } = \(constant);\n"
  }

  /// Replaces each `import('./x.js')`: of a module for which `constant` returns a name by a promise of it, and of
  /// others, if the code moves to the page's folder, by the same with a path from there.
  private func replacingDynamicImports(
    in text: String, isAtRoot: Bool, constant: (String) -> String?
  ) -> String {
    let call = "import('"
    var result = ""
    var rest = Substring(text)
    while let start = rest.utf8.firstRange(of: call.utf8),
      let end = rest[start.upperBound...].utf8.firstRange(of: "')".utf8)
    {
      let specifier = rest[start.upperBound..<end.lowerBound]
      let target = Self.resolve(specifier, from: file)
      result += rest[..<start.lowerBound]
      if let name = constant(target) {
        result += "Promise.resolve(\(name))"
      } else {
        result += "\(call)\(isAtRoot ? "./\(target)" : String(specifier))')"
      }
      rest = rest[end.upperBound...]
    }
    return result + rest
  }

  /// Takes lines with `//` and empty lines from the beginning.
  private static func takeComment(from text: inout Substring) -> Substring {
    let start = text
    while text.hasPrefix("//") || text.hasPrefix("\n") {
      text = text.firstIndex(of: "\n").map { text[text.index(after: $0)...] } ?? text[text.endIndex...]
    }
    return start[..<text.startIndex]
  }

  private static func lines(of text: Substring) -> [Substring] {
    text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map(Substring.init)
  }

  /// Returns the lines of a script or a style sheet without those that are comments or empty, as these are a fourth of
  /// its bytes. Comments beside code remain. Throws if code follows a comment of several lines in its last line. A text
  /// over several lines may have no line that begins like a comment.
  static func withoutComments(_ text: Substring, in file: String) throws(SyntaxError) -> [Substring] {
    var isInComment = false
    var kept: [Substring] = []
    for line in lines(of: text) {
      let words = line.drop { $0 == " " }
      let starts = !isInComment && words.hasPrefix("/*")
      guard isInComment || starts else {
        if !words.isEmpty, !words.hasPrefix("//") { kept.append(line) }
        continue
      }
      let end = words.dropFirst(starts ? 2 : 0).utf8.firstRange(of: "*/".utf8)
      let isAlone = end.map { words[$0.upperBound...].allSatisfy { $0 == " " } } ?? true
      if starts, !isAlone {
        kept.append(line)
      } else if !isAlone {
        throw SyntaxError(text: "\(file): code follows a comment of several lines: \(line)")
      }
      isInComment = end == nil
    }
    return kept
  }

  private static func parseImport(_ text: Substring, in file: String) throws(SyntaxError) -> Import {
    guard text.hasPrefix("import {"), text.hasSuffix("'"), let middle = text.firstRange(of: "} from '.") else {
      throw SyntaxError(text: "\(file): this import is not of the form import { a } from './x.js': \(text)")
    }
    let names = text[..<middle.lowerBound].dropFirst("import {".count).split(separator: ",").compactMap { entry in
      let words = entry.split { $0 == " " || $0 == "\n" }.map(String.init)
      return words.first.map { (exported: $0, local: words.last ?? $0) }
    }
    let specifier = text[text.index(before: middle.upperBound)...].dropLast()
    return Import(file: resolve(specifier, from: file), names: names, text: text)
  }

  private static func exportedName(_ line: Substring, in file: String) throws(SyntaxError) -> String {
    var words = line.split(separator: " ").dropFirst()
    if words.first == "async" { words.removeFirst() }
    let kind = words.popFirst() ?? ""
    let name = words.first?.prefix { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "$" } ?? ""
    guard ["function", "class", "const"].contains(kind), !name.isEmpty else {
      throw SyntaxError(text: "\(file): this export is not a function, a class or a constant: \(line)")
    }
    return String(name)
  }

  /// Returns the pattern that takes the imported names from the exports of the module, as in `a, b: c`.
  private static func pattern(_ one: Import) -> String {
    one.names.map { $0.exported == $0.local ? $0.local : "\($0.exported): \($0.local)" }.joined(separator: ", ")
  }

  /// Returns the file that a module names by `specifier`, such as `core/dom.js` for `../core/dom.js` in
  /// `parts/menu.js`.
  private static func resolve(_ specifier: Substring, from file: String) -> String {
    var parts = file.split(separator: "/").dropLast()
    for part in specifier.split(separator: "/") where part != "." {
      if part == ".." { parts = parts.dropLast() } else { parts.append(part) }
    }
    return parts.joined(separator: "/")
  }

  /// Returns what names `file` in another module, such as `../core/dom.js` in `parts/menu.js`.
  private static func specifier(_ file: String, from other: String) -> String {
    let depth = other.split(separator: "/").count - 1
    return (depth == 0 ? "./" : String(repeating: "../", count: depth)) + file
  }
}
