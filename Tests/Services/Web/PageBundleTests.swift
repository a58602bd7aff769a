import Model
import System
import TestSupport
import Testing

@testable import lunara_web

@Suite struct PageBundleTests {
  private static let document = """
    <!doctype html>
    <head>
      <link rel="stylesheet" href="style/a.css">
      <link rel="stylesheet" href="find/b.css">
      <script type="module" src="app.js"></script>
      <link rel="modulepreload" href="core/store.js">
      <link rel="modulepreload" href="core/dom.js">
    </head>

    """
  private static let page = [
    "index.html": document,
    "style/a.css": "/* A comment. */\n.a { color: red; } /* beside */\n/* Another\n   comment. */\n\n.b { top: 0; }\n",
    "find/b.css": ".c { left: 0; }\n",
    "app.js": """
    // Starts the page.
    import { h as make } from './core/dom.js';
    import { read, Store } from './core/store.js';

    const screens = { home: () => import('./core/dom.js'), far: () => import('./far/screen.js') };
    start(make, read, Store, screens);

    """,
    "core/dom.js": """
    // Elements.
    const secret = 'of elements';

    /** Makes an element. */
    export function h(name) {
      // Inside.
      return [name, secret]; // beside
    }

    """,
    "core/store.js": """
    // The store.
    import {
      h,
    } from './dom.js';

    const secret = 'of the store';
    export const limit = 3;
    /**
     * Reads.
     */
    export async function read() {
      return (await import('../far/screen.js')).open(h, secret);
    }
    export class Store {}

    """,
    "far/screen.js": """
    // A screen.
    import { limit, read as readAll } from '../core/store.js';
    import { own } from './own.js';

    export const open = () => [limit, readAll, own, import('../core/dom.js'), import('./own.js')];

    """,
    "far/own.js": "export const own = 1;\n",
    "offline.js": "say('offline');\n",
  ]

  /// Reads a file of a page in memory.
  private static func reader(of page: [String: String]) -> PageBundle.Reader {
    { name throws(PageModule.SyntaxError) in
      guard let text = page[name] else { throw PageModule.SyntaxError(text: "\(name) is missing") }
      return text
    }
  }

  /// Returns the text of a file with `VERSION` in place of the bundle's version.
  private func text(_ name: String) throws -> String? {
    let read = Self.reader(of: Self.page)
    let bundle = try #require(try PageBundle(of: Self.page.keys, read: read))
    return try bundle.text(of: name, read: read)?.replacing(try version(of: Self.page), with: "VERSION")
  }

  private func version(of page: [String: String]) throws -> Substring {
    let read = Self.reader(of: page)
    let bundle = try #require(try PageBundle(of: page.keys, read: read))
    let script = try #require(try bundle.text(of: "app.js", read: read))
    return try #require(script.firstMatch(of: /as \$core_dom_([0-9a-z]+)/)).1
  }

  @Test func theFirstModulesAreOneInWhichEachKeepsItsOwnNames() throws {
    #expect(
      try text("app.js") == """
        // core/dom.js
        const $core_dom = (() => {
        const secret = 'of elements';
        function h(name) {
          return [name, secret]; // beside
        }
        return { h };
        })();
        // core/store.js
        const $core_store = (() => {
        const { h } = $core_dom;
        const secret = 'of the store';
        const limit = 3;
        async function read() {
          return (await import('./far/screen.js')).open(h, secret);
        }
        class Store {}
        return { limit, read, Store };
        })();
        // app.js
        const $app = (() => {
        const { h: make } = $core_dom;
        const { read, Store } = $core_store;
        const screens = { home: () => Promise.resolve($core_dom), far: () => import('./far/screen.js') };
        start(make, read, Store, screens);
        })();
        export {
        $core_dom as $core_dom_VERSION,
        $core_store as $core_store_VERSION,
        };

        """)
  }

  @Test func laterModulesTakeFromTheBundleWhatItHolds() throws {
    #expect(
      try text("far/screen.js") == """
        // A screen.
        import { own } from './own.js';
        import { $core_dom_VERSION, $core_store_VERSION } from '../app.js';
        const { limit, read: readAll } = $core_store_VERSION;

        export const open = () => [limit, readAll, own, Promise.resolve($core_dom_VERSION), import('./own.js')];

        """)
    #expect(try text("far/own.js") == Self.page["far/own.js"])
    #expect(try text("offline.js") == Self.page["offline.js"])
  }

  @Test func theFileOfAModuleInTheBundleExportsTheSame() throws {
    #expect(
      try text("core/store.js") == """
        import { $core_store_VERSION } from '../app.js';
        export const { limit, read, Store } = $core_store_VERSION;

        """)
  }

  @Test func aChangedBundleExportsOtherNamesSoThatNoPageMixesTwo() throws {
    let version = try version(of: Self.page)
    var page = Self.page
    page["far/own.js"] = "export const own = 2;\n"
    #expect(try self.version(of: page) == version)
    page["core/dom.js"] = "export const h = 2;\n"
    #expect(try self.version(of: page) != version)
  }

  @Test(arguments: [
    ("/* a */ .x {} /* b */\n", "/* a */ .x {} /* b */\n"), ("/* a */  \n.x {}\n", ".x {}\n"),
    ("/*/\n.x {}\n*/\n.y {}\n", ".y {}\n"), ("  // a\n  x(); // b\n\n", "  x(); // b\n"),
    ("x = '//';\ny = '/*';\n", "x = '//';\ny = '/*';\n"),
  ]) func commentsAreLeftOutAndCodeIsNot(text: String, kept: String) throws {
    #expect(try PageModule.withoutComments(text[...], in: "a.css").map { "\($0)\n" }.joined() == kept)
  }

  @Test func codeAfterACommentOfSeveralLinesIsRefused() {
    let error = #expect(throws: PageModule.SyntaxError.self) {
      try PageModule.withoutComments("/* a\nb */ .x {}\n", in: "a.css")
    }
    #expect(error?.text.contains("a.css") == true)
  }

  @Test func theDocumentHasOneStyleSheetThatNamesThoseItHolds() throws {
    #expect(
      try text("index.html") == """
        <!doctype html>
        <head>
          <link rel="stylesheet" href="style/first.css" data-holds="style/a.css find/b.css">
          <script type="module" src="app.js"></script>
        </head>

        """)
    #expect(try text("style/first.css") == ".a { color: red; } /* beside */\n.b { top: 0; }\n.c { left: 0; }\n")
    #expect(try text("style/a.css") == nil)
  }

  @Test(
    arguments: [
      ("core/dom.js", "import { read } from './store.js';\nexport const h = read;\n", "imports itself by others"),
      ("core/dom.js", "export const other = 1;\n", "core/dom.js does not export h"),
      (
        "core/dom.js", "import { own } from '../far/own.js';\nexport const h = own;\n", "which index.html does not name"
      ),
      ("core/dom.js", "import h from './h.js';\n", "not of the form"),
      ("core/dom.js", "import { h } from 'h';\n", "not of the form"),
      ("core/dom.js", "import { h } from './h.js'\n", "has no end"),
      ("core/dom.js", "export let h = 1;\n", "is not a function, a class or a constant"),
      ("core/dom.js", "export default 1;\n", "is not a function, a class or a constant"),
      ("core/dom.js", "export const { h } = all;\n", "is not a function, a class or a constant"),
      ("far/own.js", "const a = 1;\nimport { h } from '../core/dom.js';\n", "stands after other code"),
      ("core/dom.js", "/* a\nb */ const c = 1;\nexport const h = c;\n", "code follows a comment"),
      ("core/store.js", nil, "core/store.js"),
    ] as [(String, String?, String)]) func whatCannotBeJoinedIsNamed(file: String, text: String?, problem: String)
  {
    var page = Self.page
    page[file] = text
    let error = #expect(throws: PageModule.SyntaxError.self) {
      _ = try PageBundle(of: page.keys, read: Self.reader(of: page))
    }
    #expect(error?.text.contains(problem) == true, "\(error?.text ?? "no error")")
  }

  @Test func aPageThatNamesNoModulesIsLeftAsItIs() throws {
    var page = Self.page
    page["index.html"] = Self.document.replacing("modulepreload", with: "preload")
    #expect(try PageBundle(of: page.keys, read: Self.reader(of: page)) == nil)
    page["index.html"] = Self.document.replacing("app.js", with: "start.js")
    #expect(try PageBundle(of: page.keys, read: Self.reader(of: page)) == nil)
  }

  @Test func aModuleOfAnotherFormIsServedAsItIsAndTheServiceSaysWhy() throws {
    let folder = TemporaryDirectory()
    var page = Self.page
    page["core/dom.js"] = "export default 1;\n"
    for (name, text) in page.merging(["api/openapi.json": "{}"], uniquingKeysWith: { $1 }) {
      try Files.makeFolder(Files.folder(of: "\(folder.path)/\(name)"))
      try Files.replace("\(folder.path)/\(name)", with: text)
    }
    let files = try PageFiles(folder: folder.path)
    #expect(files.problem?.contains("core/dom.js") == true)
    for (name, text) in page { #expect(try files[name]?.bytes() == Array(text.utf8), "\(name)") }
    #expect(files[PageBundle.styles] == nil)
  }
}
