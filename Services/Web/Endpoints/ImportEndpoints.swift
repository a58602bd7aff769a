import Bus
import Client
import HTTP
import Messages
import Model

/// Imports of what other players wrote into tags.
extension Endpoint {
  static let imports: [Endpoint] = [
    Endpoint("POST", "/api/v1/imports/ratings", "importRatings", of: .library) {
      let body = try $0.body(TagImportRequestBody.self)
      return Library.ImportRatings(
        folder: try body.path, replaces: body.replaces ?? false, isDryRun: body.isDryRun ?? false)
    },
    Endpoint("POST", "/api/v1/imports/plays", "importPlays", of: .library) {
      let body = try $0.body(TagImportRequestBody.self)
      return Library.ImportPlays(folder: try body.path, isDryRun: body.isDryRun ?? false)
    },
    Endpoint("POST", "/api/v1/imports/undo", "undoImport", of: .library) {
      try $0.body(Library.UndoImport.self, usual: ["isDryRun": false])
    },
  ]
}

/// The body of `POST /api/v1/imports/ratings` and of `POST /api/v1/imports/plays`.
struct TagImportRequestBody: Decodable {
  private var folder: String?
  /// True if ratings that were given here are replaced; of ratings only.
  var replaces: Bool?
  var isDryRun: Bool?

  /// The folder. Throws `web.badBody`.
  var path: LocalPath? {
    get throws {
      guard let folder else { return nil }
      let path = LocalPath(url: folder) ?? LocalPath(folder)
      guard path.bytes.first == UInt8(ascii: "/") else {
        throw LunaraError("web.badBody", "folder is \(folder). It must be an absolute path or a file: URL.")
      }
      return path
    }
  }
}
