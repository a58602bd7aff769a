import Model

/// Commands that read covers in parts.
enum PictureCommands {
  static let all: [MPDCommand] = [
    MPDCommand("albumart", 2...2) { session, arguments, reply in
      let offset = try arguments[1].unsigned()
      guard let picture = try await picture(session, arguments[0]) else {
        throw CommandError(.noExist, "No file exists")
      }
      try reply.add(picture: picture, from: offset, limit: session.binaryLimit, hasType: false)
    },
    MPDCommand("readpicture", 2...2) { session, arguments, reply in
      let offset = try arguments[1].unsigned()
      guard let picture = try await picture(session, arguments[0]) else { return }
      try reply.add(picture: picture, from: offset, limit: session.binaryLimit, hasType: true)
    },
  ]

  /// Returns the cover of a song, or that of the first song in a folder; nil if it has none.
  private static func picture(_ session: Session, _ path: String) async throws -> [UInt8]? {
    let index = try await session.household.catalogue.index()
    var art = index.song(at: path)?.art
    if art == nil, let folder = index.folder(at: path), folder.folders.isEmpty {
      art = index.songs[folder.songs].first?.art
    } else if art == nil, index.song(at: path) == nil {
      throw CommandError.noSuchSong
    }
    return if let art { try await session.household.pictures.picture(art) } else { nil }
  }
}
