import Model

/// The files that the page needs first, joined: one module of all that index.html names, and one style sheet.
///
/// A browser takes some milliseconds of a processor for each file that it asks for, however small. So the service sends
/// the modules that index.html preloads as one, `app.js`, and its style sheets as one, `style/first.css`. The other
/// modules take what they import of these from `app.js`. The files in the folder remain a page that works as it is.
struct PageBundle {
  /// The file that holds the joined modules. It is the module that starts the page.
  static let script = "app.js"
  /// The file that holds the joined style sheets. It is in the folder of the sheets with addresses of other files.
  static let styles = "style/first.css"
  private static let document = "index.html"

  /// Returns the text of a file of the page by its name.
  typealias Reader = (String) throws(PageModule.SyntaxError) -> String

  /// The names of the modules that are in the bundle, in an order in which each comes after those that it imports.
  let modules: [String]
  /// The names of the style sheets that are in the bundle.
  let sheets: [String]
  private let members: Set<String>
  /// The hash of the joined modules, in the names that they export. A page that is open does not take later modules of
  /// another version: it would call what is not there, or not in that way.
  private let version: String

  /// Reads which files are joined. Returns nil if index.html does not name `app.js` and modules to preload.
  ///
  /// - Parameters:
  ///   - names: the names of all files of the page.
  ///   - read: reads one of them.
  /// - Throws: if a file is missing, or a module has a form that cannot be joined.
  init?(of names: some Sequence<String>, read: Reader) throws(PageModule.SyntaxError) {
    let document = PageDocument(try read(Self.document))
    let preloaded = document.modules
    guard document.isStarted(by: Self.script), !preloaded.isEmpty else { return nil }
    var modules: [String: PageModule] = [:]
    for name in names where name.hasSuffix(".js") { modules[name] = try PageModule(file: name, text: try read(name)) }
    try Self.check(modules)
    self.modules = try Self.order(of: preloaded + [Self.script], among: modules)
    self.sheets = document.sheets
    self.members = Set(preloaded)
    let joined = try Self.joined(self.modules, members: members, read: read)
    self.version = String(FNV1a.hash(Array(joined.utf8)), radix: 36)
  }

  /// Returns the text of a file with what is joined; nil if the bundle does not change the file.
  func text(of name: String, read: Reader) throws(PageModule.SyntaxError) -> String? {
    switch name {
    case Self.document:
      return PageDocument(try read(name)).text(withStyles: Self.styles)
    case Self.styles:
      return try sheets.map { sheet throws(PageModule.SyntaxError) in
        try PageModule.withoutComments(try read(sheet)[...], in: sheet).map { $0 + "\n" }.joined()
      }.joined()
    case Self.script:
      let exports = modules.filter(members.contains).map {
        "\(PageModule.constant(of: $0)) as \(PageModule.constant(of: $0, version: version))"
      }
      return try Self.joined(modules, members: members, read: read)
        + "export {\n\(exports.joined(separator: ",\n")),\n};\n"
    case _ where members.contains(name):
      return try PageModule(file: name, text: try read(name)).reference(to: Self.script, version: version)
    case _ where name.hasSuffix(".js"):
      return try PageModule(file: name, text: try read(name)).text(beside: members, in: Self.script, version: version)
    default:
      return nil
    }
  }

  private static func joined(
    _ modules: [String], members: Set<String>, read: Reader
  ) throws(PageModule.SyntaxError) -> String {
    try modules.map { name throws(PageModule.SyntaxError) in
      try PageModule(file: name, text: try read(name)).part(of: members)
    }.joined()
  }

  /// Checks that each name that is imported is exported. In a browser a missing one would be an error; in a bundle it
  /// would be `undefined`.
  private static func check(_ modules: [String: PageModule]) throws(PageModule.SyntaxError) {
    for module in modules.values {
      for one in module.imports {
        for (name, _) in one.names where modules[one.file]?.exports.contains(name) != true {
          throw PageModule.SyntaxError(text: "\(module.file): \(one.file) does not export \(name).")
        }
      }
    }
  }

  /// Returns the modules in an order in which each comes after those that it imports; the last name stays last.
  private static func order(
    of names: [String], among modules: [String: PageModule]
  ) throws(PageModule.SyntaxError) -> [String] {
    let wanted = Set(names)
    var order: [String] = []
    var done: Set<String> = []
    func add(_ name: String, under importers: [String]) throws(PageModule.SyntaxError) {
      guard wanted.contains(name), let module = modules[name] else {
        throw PageModule.SyntaxError(
          text: "\(importers.last ?? document) needs \(name), which index.html does not name.")
      }
      guard !importers.contains(name) else { throw PageModule.SyntaxError(text: "\(name) imports itself by others.") }
      guard !done.contains(name) else { return }
      for one in module.imports { try add(one.file, under: importers + [name]) }
      done.insert(name)
      order.append(name)
    }
    for name in names { try add(name, under: []) }
    return order
  }
}

/// The lines of index.html in which it names modules and style sheets.
private struct PageDocument {
  private static let moduleStart = "<link rel=\"modulepreload\" href=\""
  private static let sheetStart = "<link rel=\"stylesheet\" href=\""
  private let lines: [Substring]

  init(_ text: String) { lines = text.split(separator: "\n", omittingEmptySubsequences: false) }

  /// The modules that the document preloads.
  var modules: [String] { lines.compactMap { Self.name(in: $0, after: Self.moduleStart) } }

  /// The style sheets of the document.
  var sheets: [String] { lines.compactMap { Self.name(in: $0, after: Self.sheetStart) } }

  /// Returns true if the document loads a script as its module.
  func isStarted(by script: String) -> Bool {
    lines.contains { $0.contains("<script type=\"module\" src=\"\(script)\">") }
  }

  /// Returns the document without modules to preload, and with one style sheet in the place of all. The line of this
  /// one names those that it holds, so that the page does not load them once more.
  func text(withStyles joined: String) -> String {
    let line = "  \(Self.sheetStart)\(joined)\" data-holds=\"\(sheets.joined(separator: " "))\">"
    let place = lines.firstIndex { Self.name(in: $0, after: Self.sheetStart) != nil }
    return lines.indices.compactMap { index in
      if index == place { return line[...] }
      let isTakenOut = [Self.moduleStart, Self.sheetStart].contains { Self.name(in: lines[index], after: $0) != nil }
      return isTakenOut ? nil : lines[index]
    }.joined(separator: "\n")
  }

  /// Returns the name in a line of the form `start`, name, `">`.
  private static func name(in line: Substring, after start: String) -> String? {
    let words = line.drop { $0 == " " }
    guard words.hasPrefix(start), words.hasSuffix("\">") else { return nil }
    return String(words.dropFirst(start.count).dropLast(2))
  }
}
