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

  /// Lists the files that the build embedded from `Public`, under the names that it gave them: without their folders, so
  /// that no two may be called alike.
  init() {
    let script = "text/javascript; charset=utf-8"
    let style = "text/css; charset=utf-8"
    let picture = "image/svg+xml"
    let all: [(String, String, [UInt8])] = [
      ("app.js", script, PackageResources.app_js),
      ("card.js", script, PackageResources.card_js),
      ("icon-mask.svg", picture, PackageResources.icon_mask_svg),
      ("icon.svg", picture, PackageResources.icon_svg),
      ("index.html", "text/html; charset=utf-8", PackageResources.index_html),
      ("linen.svg", picture, PackageResources.linen_svg),
      ("manifest.webmanifest", "application/manifest+json", PackageResources.manifest_webmanifest),
      ("wood.svg", picture, PackageResources.wood_svg),
      ("core/api.js", script, PackageResources.api_js),
      ("core/colour.js", script, PackageResources.colour_js),
      ("core/dom.js", script, PackageResources.dom_js),
      ("core/pages.js", script, PackageResources.pages_js),
      ("core/prefs.js", script, PackageResources.prefs_js),
      ("core/pull.js", script, PackageResources.pull_js),
      ("core/router.js", script, PackageResources.router_js),
      ("core/state.js", script, PackageResources.state_js),
      ("core/store.js", script, PackageResources.store_js),
      ("core/watch.js", script, PackageResources.watch_js),
      ("core/windowed.js", script, PackageResources.windowed_js),
      ("core/words.js", script, PackageResources.words_js),
      ("parts/actions.js", script, PackageResources.actions_js),
      ("parts/banners.js", script, PackageResources.banners_js),
      ("parts/buttons.js", script, PackageResources.buttons_js),
      ("parts/cards.js", script, PackageResources.cards_js),
      ("parts/cover.js", script, PackageResources.cover_js),
      ("parts/heads.js", script, PackageResources.heads_js),
      ("parts/icons.js", script, PackageResources.icons_js),
      ("parts/keys.js", script, PackageResources.keys_js),
      ("parts/letters.js", script, PackageResources.letters_js),
      ("parts/lines.js", script, PackageResources.lines_js),
      ("parts/menu.js", script, PackageResources.menu_js),
      ("parts/rating.js", script, PackageResources.rating_js),
      ("parts/roomsettings.js", script, PackageResources.roomsettings_js),
      ("parts/sourcewords.js", script, PackageResources.sourcewords_js),
      ("parts/summary.js", script, PackageResources.summary_js),
      ("parts/things.js", script, PackageResources.things_js),
      ("player/bar.js", script, PackageResources.bar_js),
      ("player/dragging.js", script, PackageResources.dragging_js),
      ("player/media.js", script, PackageResources.media_js),
      ("player/palette.js", script, PackageResources.palette_js),
      ("player/pulldown.js", script, PackageResources.pulldown_js),
      ("player/queuelines.js", script, PackageResources.queuelines_js),
      ("player/roommenu.js", script, PackageResources.roommenu_js),
      ("player/sheet.js", script, PackageResources.sheet_js),
      ("player/sliders.js", script, PackageResources.sliders_js),
      ("player/transport.js", script, PackageResources.transport_js),
      ("screens/album.js", script, PackageResources.album_js),
      ("screens/albums.js", script, PackageResources.albums_js),
      ("screens/artist.js", script, PackageResources.artist_js),
      ("screens/artists.js", script, PackageResources.artists_js),
      ("screens/collection.js", script, PackageResources.collection_js),
      ("screens/collections.js", script, PackageResources.collections_js),
      ("screens/login.js", script, PackageResources.login_js),
      ("screens/lost.js", script, PackageResources.lost_js),
      ("screens/more.js", script, PackageResources.more_js),
      ("screens/playlist.js", script, PackageResources.playlist_js),
      ("screens/playlists.js", script, PackageResources.playlists_js),
      ("screens/queue.js", script, PackageResources.queue_js),
      ("screens/rooms.js", script, PackageResources.rooms_js),
      ("screens/search.js", script, PackageResources.search_js),
      ("screens/settings.js", script, PackageResources.settings_js),
      ("screens/tracks.js", script, PackageResources.tracks_js),
      ("screens/welcome.js", script, PackageResources.welcome_js),
      ("settings/adding.js", script, PackageResources.adding_js),
      ("settings/browser.js", script, PackageResources.browser_js),
      ("settings/health.js", script, PackageResources.health_js),
      ("settings/scrobbling.js", script, PackageResources.scrobbling_js),
      ("settings/signin.js", script, PackageResources.signin_js),
      ("settings/sources.js", script, PackageResources.sources_js),
      ("style/base.css", style, PackageResources.base_css),
      ("style/controls.css", style, PackageResources.controls_css),
      ("style/frame.css", style, PackageResources.frame_css),
      ("style/lines.css", style, PackageResources.lines_css),
      ("style/places.css", style, PackageResources.places_css),
      ("style/player.css", style, PackageResources.player_css),
      ("style/shelf.css", style, PackageResources.shelf_css),
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
