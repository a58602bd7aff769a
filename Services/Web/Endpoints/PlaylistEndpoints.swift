import Bus
import Client
import FoundationEssentials
import HTTP
import ListFiles
import Messages
import Model

/// Reading playlists, and making and editing those of the library itself.
extension Endpoint {
  /// The path to which list files are sent, whose bodies may be larger than others.
  static let listFilePath = "/api/v1/playlist-files"

  static let playlists: [Endpoint] = [
    Endpoint("GET", "/api/v1/playlists", "listPlaylists", of: .library) {
      Library.ListPlaylists(after: $0.after, limit: try $0.limit())
    },
    Endpoint("POST", "/api/v1/playlists", "createPlaylist", of: .library) {
      let body = try $0.body(NewPlaylistBody.self)
      return Library.CreatePlaylist(
        title: body.title, summary: body.summary, ids: body.ids ?? [], described: body.described?.map(\.track),
        copyOf: body.copyOf, source: body.source, rules: body.rules)
    },
    Endpoint("POST", listFilePath, "importPlaylist") { api, call in
      let body = try call.body(ListFileBody.self)
      let client = Client(node: api.node)
      if body.isRules, let text = body.text {
        let made = try await client.makeSmartPlaylist(of: text, title: body.title, orElse: body.stem)
        return .json(Client.ImportReport(playlist: made).json)
      }
      let list = try await body.list(client)
      return .json(try await client.makePlaylist(of: list, title: body.title ?? list.title ?? body.stem).json)
    },
    // This stands before `readPlaylist`, whose id may contain slashes.
    Endpoint("GET", "/api/v1/playlists/{id}/file", "exportPlaylist") { api, call in
      let word = call.parameters.text("format") ?? "m3u8"
      let client = Client(node: api.node)
      let (title, text): (String?, String)
      if word == "nsp" {
        let found = try await client.ruleFile(of: try call.id())
        title = found.title
        text = found.text
      } else {
        guard let format = ListFileFormat(name: ".\(word)") else {
          throw LunaraError("web.badParameter", "format is \(word). It must be m3u8, xspf, jspf, pls or nsp.")
        }
        let list = try await client.listFile(of: try call.id())
        title = list.title
        text = try ListFileWriter(format, relativeTo: call.parameters.text("relativeTo")).text(of: list)
      }
      let name = PercentCoding.encode((title ?? "playlist") + "." + word)
      return HTTPServerResponse(
        headers: [
          ("Content-Type", "text/plain; charset=utf-8"),
          ("Content-Disposition", "attachment; filename*=UTF-8''\(name)"),
        ], body: .bytes(Array(text.utf8)))
    },
    Endpoint("PUT", "/api/v1/playlists/{id}/cover", "setPlaylistCover") { api, call in
      struct Body: Decodable { var picture: String }
      guard let picture = Data(base64Encoded: try call.body(Body.self).picture) else {
        throw LunaraError("web.badBody", "picture is not Base64.")
      }
      return .json(try await Client(node: api.node).setCover(Array(picture), of: try call.id()).json)
    },
    Endpoint("DELETE", "/api/v1/playlists/{id}/cover", "removePlaylistCover", of: .library) {
      Library.SetPlaylistCover(id: try $0.id(), part: nil)
    },
    Endpoint("GET", "/api/v1/playlists/{id}", "readPlaylist", of: .library) {
      Library.ReadPlaylist(id: try $0.id(), after: $0.after)
    },
    Endpoint("PUT", "/api/v1/playlists/{id}", "describePlaylist", of: .library) {
      try $0.body(Library.DescribePlaylist.self, fixed: ["id": try $0.id() as PlaylistID])
    },
    Endpoint("POST", "/api/v1/playlist-rules", "previewRules", of: .library) { try $0.body(Library.PreviewRules.self) },
    Endpoint("DELETE", "/api/v1/playlists/{id}", "deletePlaylist", of: .library) {
      Library.DeletePlaylist(id: try $0.id())
    },
    Endpoint("POST", "/api/v1/playlists/{id}/entries", "addToPlaylist", of: .library) {
      let body = try $0.body(AddedEntriesBody.self)
      return Library.AddToPlaylist(
        id: try $0.id(), ids: body.ids ?? [], described: body.described?.map(\.track), after: body.after)
    },
    Endpoint("POST", "/api/v1/playlists/{id}/remove", "removeFromPlaylist", of: .library) {
      try $0.body(Library.RemoveFromPlaylist.self, fixed: ["id": try $0.id() as PlaylistID])
    },
    Endpoint("POST", "/api/v1/playlists/{id}/move", "moveInPlaylist", of: .library) {
      try $0.body(Library.MoveInPlaylist.self, fixed: ["id": try $0.id() as PlaylistID])
    },
    Endpoint("POST", "/api/v1/playlists/{id}/undo", "undoPlaylist", of: .library) {
      Library.UndoPlaylist(id: try $0.id())
    },
  ]
}

/// The body of `POST /api/v1/playlists`.
private struct NewPlaylistBody: Decodable {
  var title: String
  var summary: String?
  var ids: [PlayableID]?
  var described: [DescribedTrackBody]?
  var copyOf: PlaylistID?
  var source: String?
  /// The rules of a smart playlist, as a text in JSON.
  var rules: String?
}

/// The body of `POST /api/v1/playlists/{id}/entries`.
private struct AddedEntriesBody: Decodable {
  var ids: [PlayableID]?
  var described: [DescribedTrackBody]?
  var after: Int64?
}

/// The body of `POST /api/v1/playlist-files`: a list file by its name and text, or by its address.
private struct ListFileBody: Decodable {
  var name: String?
  var text: String?
  var address: String?
  var title: String?

  /// True for the rules of a smart playlist.
  var isRules: Bool { name?.lowercased().hasSuffix(".nsp") ?? false }

  /// The name without its ending, as a title.
  var stem: String {
    let plain = (name ?? address ?? "").prefix { $0 != "?" && $0 != "#" }
    let last = plain.split(whereSeparator: { $0 == "/" || $0 == "\\" }).last ?? ""
    let stem = last.prefix(upTo: last.lastIndex(of: ".") ?? last.endIndex)
    return stem.isEmpty ? "Playlist" : String(stem)
  }

  /// Returns the list. Throws `web.badBody`, `library.badListFile`, `library.listFileTooLarge`.
  func list(_ client: Client) async throws -> ListFile {
    if let text { return try ListFile(Array(text.utf8), name: name ?? "The file") }
    guard let address else {
      throw LunaraError("web.badBody", "Give the text of a list file with its name, or its address.")
    }
    return try await client.listFile(at: address)
  }
}
