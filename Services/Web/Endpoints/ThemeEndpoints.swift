import Client
import HTTP
import Messages
import Model

/// Reading, making, changing and deleting themes.
extension Endpoint {
  static let themes: [Endpoint] = [
    Endpoint("GET", "/api/v1/themes", "listThemes", of: .library) { _ in Library.ListThemes() },
    Endpoint("POST", "/api/v1/themes", "createTheme", of: .library) {
      try $0.body(Library.SaveTheme.self, fixed: ["id": nil as Int64?])
    },
    Endpoint("GET", "/api/v1/themes/{id}", "readTheme", of: .library) { call in
      Library.ReadTheme(id: try call.theme(), after: call.after)
    },
    Endpoint("PUT", "/api/v1/themes/{id}", "changeTheme", of: .library) {
      try $0.body(Library.SaveTheme.self, fixed: ["id": try $0.theme()])
    },
    Endpoint("DELETE", "/api/v1/themes/{id}", "deleteTheme", of: .library) { Library.DeleteTheme(id: try $0.theme()) },
    Endpoint("POST", "/api/v1/themes/{id}/undo", "undoTheme", of: .library) {
      Library.DeleteTheme(id: try $0.theme(), isTakenBack: true)
    },
  ]
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
