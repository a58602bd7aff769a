import Catalogue
import FoundationEssentials
import Messages
package import Model
import Records
package import Storage

/// Collects the parts of the pictures that people give to playlists, and makes them covers.
package actor PlaylistCovers {
  /// The pictures that are kept of a playlist, for taking changes back.
  private static let mostKept: Int64 = 6
  /// The playlists whose pictures may be sent at the same time.
  private static let mostUploads = 4

  private struct Upload {
    var bytes: [UInt8]
    var size: Int
  }

  private let database: Database
  private let hostID: String
  private let now: @Sendable () -> Timestamp
  /// Makes a thumbnail of a picture. Throws where it cannot be shown.
  private let check: @Sendable (ArtID) async throws -> Void
  private var uploads: [PlaylistID: Upload] = [:]

  package init(
    database: Database, hostID: String, now: @escaping @Sendable () -> Timestamp,
    check: @escaping @Sendable (ArtID) async throws -> Void
  ) {
    self.database = database
    self.hostID = hostID
    self.now = now
    self.check = check
  }

  /// Takes a part, and makes the picture the cover with the last one.
  func set(_ request: Library.SetPlaylistCover) async throws -> Playlist {
    guard let text = request.part else {
      uploads[request.id] = nil
      return try await set(nil, of: request.id)
    }
    let former = uploads.removeValue(forKey: request.id)
    var upload = request.offset == 0 ? Upload(bytes: [], size: request.size) : former
    guard let part = Data(base64Encoded: text), !part.isEmpty, upload?.size == request.size,
      upload?.bytes.count == request.offset, request.offset + part.count <= request.size,
      request.size <= Library.SetPlaylistCover.mostBytes
    else { throw Self.bad("The picture did not arrive whole. Send it again.") }
    upload?.bytes += part
    guard let bytes = upload?.bytes, bytes.count == request.size else {
      guard uploads.count < Self.mostUploads else { throw Self.bad("Other pictures are on their way. Try again.") }
      uploads[request.id] = upload
      return try await edit { try $0.unchanged(request.id) }
    }
    guard Self.isPicture(bytes) else { throw Self.bad("It is no picture in JPEG, PNG or WebP.") }
    // The playlist is checked before anything is stored for it.
    _ = try await edit { try $0.unchanged(request.id) }
    let number = try await database.write(.power) { transaction -> Int64 in
      let playlist = try Catalogue.number(of: .playlist, request.id, transaction)
      try transaction.execute("INSERT INTO playlist_covers (playlist, picture) VALUES (?, ?)", playlist, bytes)
      return try transaction.value("SELECT last_insert_rowid()") ?? 0
    }
    do {
      try await check(ArtID(source: Catalogue.ownPlaylists, native: Self.reference(number)))
      return try await set(Self.reference(number), of: request.id)
    } catch {
      try await database.write { try $0.execute("DELETE FROM playlist_covers WHERE id = ?", number) }
      let error = LunaraError(error)
      guard error.code.hasPrefix("library.bad") || error.code.hasPrefix("artwork.") else { throw error }
      throw LunaraError("library.badPicture", "The picture cannot be shown. Try another one.", cause: error.message)
    }
  }

  private func set(_ reference: String?, of id: PlaylistID) async throws -> Playlist {
    try await edit { editor in
      let playlist = try editor.set(cover: reference, of: id)
      try editor.transaction.execute(
        """
        DELETE FROM playlist_covers WHERE playlist = ?1 AND id NOT IN
          (SELECT id FROM playlist_covers WHERE playlist = ?1 ORDER BY id DESC LIMIT ?2)
          AND 'c' || id <> ifnull((SELECT art FROM playlists WHERE id = ?1), '')
        """, try Catalogue.number(of: .playlist, id, editor.transaction), Self.mostKept)
      return playlist
    }
  }

  private func edit(
    _ body: @escaping @Sendable (PlaylistEditor) throws -> Playlist
  ) async throws -> Playlist {
    let (now, hostID) = (now(), hostID)
    return try await database.write(.power) { transaction in
      try body(PlaylistEditor(now: now, hostID: hostID, transaction: transaction))
    }
  }

  /// Returns the picture of a reference. Throws `library.unknownID`.
  package static func picture(_ reference: String, _ database: Database) async throws -> [UInt8] {
    let number = reference.hasPrefix("c") ? Int64(reference.dropFirst()) : nil
    let picture: [UInt8]? = try await database.read {
      try $0.value("SELECT picture FROM playlist_covers WHERE id = ?", number ?? 0)
    }
    guard let picture else {
      throw CatalogueID.unknown(ArtID(source: Catalogue.ownPlaylists, native: reference))
    }
    return picture
  }

  private static func reference(_ number: Int64) -> String { "c\(number)" }

  private static func bad(_ message: String) -> LunaraError { LunaraError("library.badPicture", message) }

  /// Returns true for the beginnings of JPEG, PNG and WebP files.
  private static func isPicture(_ bytes: [UInt8]) -> Bool {
    switch ImageType(firstBytes: bytes) {
    case .jpeg, .png, .webp: true
    case .gif, .avif, nil: false
    }
  }
}
