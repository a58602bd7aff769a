import Testing

@testable import lunara_web

@Suite struct PageFilesTests {
  private let files = PageFiles()

  private func text(_ name: String) throws -> String {
    String(decoding: try #require(files[name]).bytes, as: UTF8.self)
  }

  @Test func everyFileThatThePageAsksForIsServed() throws {
    for name in files.names where [".html", ".js", ".css", ".webmanifest"].contains(where: name.hasSuffix) {
      let text = try text(name)
      let references =
        text.matches(of: /(?:src|href)="([a-z\/-]+\.[a-z]+)"/).map { String($0.output.1) }
        + text.matches(of: /"src": "([a-z-]+\.[a-z]+)"/).map { String($0.output.1) }
        + text.matches(of: /(?:from |import\()'(\.[a-z.\/]+\.js)'/).map { String($0.output.1) }
        + text.matches(of: /url\("([a-z.\/]+\.svg)"\)/).map { String($0.output.1) }
      for reference in references {
        #expect(files[Self.path(reference, from: name)] != nil, "\(name) asks for \(reference)")
      }
    }
    #expect(try text("index.html").contains("<!doctype html>"))
  }

  @Test func whatTheFirstScriptNeedsIsAskedForAtOnce() throws {
    let page = try text("index.html")
    var open = ["app.js"]
    var seen: Set<String> = []
    while let name = open.popLast() {
      for match in try text(name).matches(of: /from '(\.[a-z.\/]+\.js)'/) {
        let needed = Self.path(String(match.output.1), from: name)
        guard seen.insert(needed).inserted else { continue }
        #expect(page.contains(#"rel="modulepreload" href="\#(needed)""#), "\(needed) comes late")
        open.append(needed)
      }
    }
    #expect(seen.count > 20)
  }

  /// The name of a file that another one names, such as `core/dom.js` for `../core/dom.js` in `parts/menu.js`.
  private static func path(_ reference: String, from name: String) -> String {
    var parts = name.split(separator: "/").dropLast().map(String.init)
    for part in reference.split(separator: "/") where part != "." {
      if part == ".." { parts.removeLast() } else { parts.append(String(part)) }
    }
    return parts.joined(separator: "/")
  }

  @Test func noFileWantsAnythingFromElsewhereOrRunsScriptInPlace() throws {
    for name in files.names {
      // The name of a kind of markup, and a link that only a person follows.
      let text = try text(name).replacing("http://www.w3.org/2000/svg", with: "")
        .replacing("https://www.last.fm/api/account/create", with: "")
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
}
