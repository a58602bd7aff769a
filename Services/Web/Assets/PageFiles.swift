import Model

/// The files of the page, which are part of the program.
struct PageFiles: Sendable {
  /// One file.
  struct File: Sendable {
    var type: String
    var bytes: [UInt8]
    /// A strong validator (RFC 9110): equal bytes, equal tag.
    var tag: String
  }

  private let files: [String: File]

  /// The description of the interface (OpenAPI 3.1).
  static let description = File(
    type: "application/json", bytes: PackageResources.openapi_json, tag: tag(PackageResources.openapi_json))

  /// Lists the files that the build embedded from `Public`, under the names that it gave them.
  init() {
    let script = "text/javascript; charset=utf-8"
    let style = "text/css; charset=utf-8"
    let picture = "image/svg+xml"
    let all: [(String, String, [UInt8])] = [
      ("index.html", "text/html; charset=utf-8", PackageResources.index_html),
      ("icon.svg", picture, PackageResources.icon_svg),
      ("linen.svg", picture, PackageResources.linen_svg),
      ("wood.svg", picture, PackageResources.wood_svg),
      ("base.css", style, PackageResources.base_css),
      ("deck.css", style, PackageResources.deck_css),
      ("shelf.css", style, PackageResources.shelf_css),
      ("album.css", style, PackageResources.album_css),
      ("album.js", script, PackageResources.album_js),
      ("api.js", script, PackageResources.api_js),
      ("app.js", script, PackageResources.app_js),
      ("banners.js", script, PackageResources.banners_js),
      ("card.js", script, PackageResources.card_js),
      ("cover.js", script, PackageResources.cover_js),
      ("deck.js", script, PackageResources.deck_js),
      ("dom.js", script, PackageResources.dom_js),
      ("icons.js", script, PackageResources.icons_js),
      ("places.js", script, PackageResources.places_js),
      ("queue.js", script, PackageResources.queue_js),
      ("records.js", script, PackageResources.records_js),
      ("rooms.js", script, PackageResources.rooms_js),
      ("search.js", script, PackageResources.search_js),
      ("shelf.js", script, PackageResources.shelf_js),
      ("store.js", script, PackageResources.store_js),
      ("words.js", script, PackageResources.words_js),
    ]
    files = Dictionary(
      all.map { name, type, bytes in (name, File(type: type, bytes: bytes, tag: Self.tag(bytes))) }
    ) { first, _ in first }
  }

  /// The names of all files.
  var names: [String] { files.keys.sorted() }

  /// The file of a name.
  subscript(name: String) -> File? { files[name] }

  /// FNV-1a, 64 bit: enough to tell one version of a file from the next.
  private static func tag(_ bytes: [UInt8]) -> String {
    let value = bytes.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    return "\"\(String(value, radix: 36))\""
  }
}
