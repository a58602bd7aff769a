import Glibc
import Model
import System
import TestSupport
import Testing

@testable import lunara_web

@Suite struct PageFilesTests {
  private let files: PageFiles

  init() throws { files = try PageFiles.ofThisProgram() }

  private func text(_ name: String) throws -> String {
    String(decoding: try #require(files[name]).bytes(), as: UTF8.self)
  }

  @Test func everyFileThatThePageAsksForIsServed() throws {
    for name in files.names where [".html", ".js", ".css", ".webmanifest"].contains(where: name.hasSuffix) {
      let text = try text(name)
      let references =
        text.matches(of: /(?:src|href)="([a-z0-9\/-]+\.[a-z0-9]+)"/).map { String($0.output.1) }
        + text.matches(of: /"src": "([a-z0-9\/-]+\.[a-z]+)"/).map { String($0.output.1) }
        + text.matches(of: /(?:from |import\()'(\.[a-z.\/]+\.js)'/).map { String($0.output.1) }
        + text.matches(of: /url\("([a-z.\/-]+\.(?:svg|woff2))"\)/).map { String($0.output.1) }
      for reference in references {
        #expect(files[Self.path(reference, from: name)] != nil, "\(name) asks for \(reference)")
      }
      for match in text.matches(of: /loadStyles\('([a-z.\/-]+)'\)/) {
        #expect(files[String(match.output.1)] != nil, "\(name) asks for \(match.output.1)")
      }
    }
    #expect(try text("index.html").contains("<!doctype html>"))
  }

  @Test func whatThePageNeedsFirstIsOneScriptAndOneStyleSheet() throws {
    #expect(files.problem == nil)
    let (page, script) = (try text("index.html"), try text("app.js"))
    #expect(!page.contains("modulepreload"))
    #expect(page.matches(of: /rel="stylesheet"/).count == 1)
    #expect(!script.contains("\nimport "))
    for name in ["core/store.js", "parts/cards.js", "screens/home.js", "screens/albums.js", "rediscovery/shelves.js"] {
      #expect(script.contains("\n// \(name)\n"), "\(name) comes late")
    }
    #expect(!script.contains("// player/sheet.js\n"))
  }

  @Test func thePagesThatStandInForThePageDoNotStartIt() throws {
    for page in ["offline.html", "renew.html"] {
      for match in try text(page).matches(of: /src="([a-z0-9\/-]+\.js)"/) {
        #expect(try !text(String(match.output.1)).contains("app.js"), "\(page) starts the page")
      }
    }
    #expect(try !text("card.js").contains("app.js"))
  }

  @Test func theWorkerKeepsNoFilesThatThePageDoesNotAskFor() throws {
    let worker = try text("sw.js")
    #expect(worker.contains("\"app.js\":") && worker.contains("\"\(PageBundle.styles)\":"))
    #expect(worker.contains("\"player/sheet.js\":") && worker.contains("\"style/base.css\":"))
    for name in ["core/store.js", "style/lists.css", "find/find.css"] {
      #expect(!worker.contains("\"\(name)\":") && files[name] != nil, "\(name)")
    }
  }

  /// Resolves the name of a file that another file refers to, such as `core/dom.js` for `../core/dom.js` in
  /// `parts/menu.js`.
  private static func path(_ reference: String, from name: String) -> String {
    var parts = name.split(separator: "/").dropLast().map(String.init)
    for part in reference.split(separator: "/") where part != "." {
      if part == ".." { parts.removeLast() } else { parts.append(String(part)) }
    }
    return parts.joined(separator: "/")
  }

  @Test func noFileWantsAnythingFromElsewhereOrRunsScriptInPlace() throws {
    for name in files.names {
      // The exceptions are the namespace of SVG, links that only a person follows, and an example in a field.
      let text = try text(name).replacing("http://www.w3.org/2000/svg", with: "")
        .replacing("https://www.last.fm/api/account/create", with: "")
        .replacing("'http://127.0.0.1:11434/v1'", with: "")
        .replacing("`https://${language}.wikipedia.org/wiki/${encodeURIComponent(title)}`", with: "")
      #expect(!text.contains("http://") && !text.contains("https://"), "\(name) names another site")
      #expect(!text.contains("innerHTML") && !text.contains("eval("), "\(name) could run what a title says")
      #expect(text.firstMatch(of: /<[a-z]+ [^>]*\bon[a-z]+=/) == nil, "\(name) has script in an attribute")
      #expect(text.firstMatch(of: /<(script|style)[^>]*>[^<]/) == nil, "\(name) has script or style in place")
    }
  }

  @Test func eachFileHasItsOwnTag() {
    let tags = Set(files.names.compactMap { files[$0]?.tag })
    #expect(tags.count == files.names.count)
  }

  @Test func theWorkerKnowsTheTagOfEachFileAndIsAnotherOneWhenAFileChanges() throws {
    let folder = TemporaryDirectory()
    for name in ["index.html", "app.js", "phone/a.css", "api/openapi.json"] { try write("text", to: name, in: folder) }
    try write("// The worker.\n", to: "sw.js", in: folder)
    let first = try #require(try PageFiles(folder: folder.path)["sw.js"])
    let text = String(decoding: try first.bytes(), as: UTF8.self)
    let version = first.tag.filter { $0 != "\"" }
    #expect(text.hasPrefix("const version = '\(version)';\nconst tags = {\"app.js\":\""))
    #expect(text.hasSuffix("\"};\n// The worker.\n") && text.utf8.count == first.size)
    let tag = try #require(try PageFiles(folder: folder.path)["phone/a.css"]?.tag)
    #expect(text.contains("\"phone/a.css\":\(tag)") && !text.contains("sw.js"))
    #expect(try PageFiles(folder: folder.path)["sw.js"]?.tag == first.tag)
    try write("other text", to: "app.js", in: folder)
    #expect(try PageFiles(folder: folder.path)["sw.js"]?.tag != first.tag)
    #expect(try PageFiles(folder: folder.path)["phone/a.css"]?.tag == tag)
  }

  private func write(_ text: String, to name: String, in folder: TemporaryDirectory) throws {
    try Files.makeFolder(Files.folder(of: "\(folder.path)/\(name)"))
    try Files.replace("\(folder.path)/\(name)", with: text)
  }

  @Test func everyFileOfTheFolderIsServedAndNothingElse() throws {
    let folder = TemporaryDirectory()
    for name in [
      "index.html", "app.js", "a/b.css", "api/openapi.json", ".hidden.js", "notes.txt", "x.js~", "a/b/c/d/deep.js",
    ] {
      try write("text of \(name)", to: name, in: folder)
    }
    let secret = TemporaryDirectory()
    try write("secret", to: "secret.js", in: secret)
    #expect(symlink("\(secret.path)/secret.js", "\(folder.path)/link.js") == 0)
    #expect(symlink(secret.path, "\(folder.path)/linked") == 0)
    let files = try PageFiles(folder: folder.path)
    #expect(files.names == ["a/b.css", "app.js", "index.html"])
    #expect(files["a/b.css"]?.type == "text/css; charset=utf-8")
    #expect(files["../secret.js"] == nil && files["api/openapi.json"] == nil)
    #expect(try files.openAPI.bytes() == Array("text of api/openapi.json".utf8))
    #expect(unlink("\(folder.path)/app.js") == 0)
    #expect(throws: LunaraError.self) { try files["app.js"]?.bytes() }
  }

  @Test func aFolderThatIsMissingOrAnotherOneIsAnErrorThatSaysWhatToDo() throws {
    let folder = TemporaryDirectory()
    let error = #expect(throws: LunaraError.self) { try PageFiles(folder: "\(folder.path)/nothing") }
    #expect(error?.code == "web.noPageFiles")
    #expect(error?.message.contains("\(folder.path)/nothing") == true && error?.message.contains("Install") == true)
    try write("{}", to: "api/openapi.json", in: folder)
    #expect(code { _ = try PageFiles(folder: folder.path) } == "web.noPageFiles")
  }

  @Test func theFolderLiesBesideAnInstalledProgramOrInTheSources() throws {
    #expect(PageFiles.folder(ofProgram: "/opt/lunara/bin/lunara-web") == "/opt/lunara/share/lunara/web")
    #expect(
      PageFiles.folder(ofProgram: "/home/ann/lunara/.build/release/lunara-web")
        == "/home/ann/lunara/Services/Web/Public")
    let prefix = TemporaryDirectory()
    try write("x", to: ".build/usr/share/lunara/web/index.html", in: prefix)
    #expect(
      PageFiles.folder(ofProgram: "\(prefix.path)/.build/usr/bin/lunara-web")
        == "\(prefix.path)/.build/usr/share/lunara/web")
  }
}
