import Client
import HTTP
import Messages
import Model

/// Reading, making and changing themes.
extension Endpoint {
  static let themes: [Endpoint] = [
    Endpoint("GET", "/api/v1/themes", "listThemes", of: .library) { _ in Library.ListThemes() },
    Endpoint("POST", "/api/v1/themes", "createTheme", of: .library) {
      try $0.body(ThemeRequestBody.self).request(nil)
    },
    Endpoint("GET", "/api/v1/themes/{id}", "readTheme", of: .library) { call in
      Library.ReadTheme(id: try call.theme(), after: call.after)
    },
    Endpoint("PUT", "/api/v1/themes/{id}", "changeTheme", of: .library) {
      try $0.body(ThemeRequestBody.self).request(try $0.theme())
    },
    Endpoint("DELETE", "/api/v1/themes/{id}", "deleteTheme", of: .library) { Library.DeleteTheme(id: try $0.theme()) },
  ]
}

/// The body of `POST /api/v1/themes` and `PUT /api/v1/themes/{id}`.
private struct ThemeRequestBody: Decodable {
  struct Look: Decodable {
    var first: String
    var second: String
    var texture: KnownWord<Library.ThemeTexture>
  }

  var title: String?
  var text: String?
  /// The rules, as a text in JSON.
  var rules: String?
  var look: Look?
  var cover: AlbumID?
  var adding: [AlbumID]?
  var removing: [AlbumID]?
  /// The revision that the person saw.
  var revision: Int64?

  func request(_ id: Int64?) -> Library.SaveTheme {
    let look = look.map { Library.ThemeLook(first: $0.first, second: $0.second, texture: $0.texture.value) }
    return Library.SaveTheme(
      id: id, title: title, text: text, rules: rules, look: look, cover: cover, adding: adding, removing: removing,
      revision: revision)
  }
}

extension Call {
  /// Returns the number of the theme in the path. Throws `web.badID`.
  fileprivate func theme() throws(LunaraError) -> Int64 {
    guard let number = Int64(text("id")), number > 0 else {
      throw LunaraError("web.badID", "\(text("id")) is not the number of a theme.")
    }
    return number
  }
}
