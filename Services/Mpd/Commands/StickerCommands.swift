import Bus
import Client
import Messages
import Model

/// The sticker `rating` of songs, 0 to 10: the ratings of the household in half stars.
enum StickerCommands {
  static let all: [MPDCommand] = [
    MPDCommand("sticker", 3...6) { session, arguments, reply in
      guard arguments[1] == "song" else { throw CommandError(.argument, "unknown sticker domain") }
      switch (arguments[0], arguments.count) {
      case ("get", 4):
        guard let rating = try await rating(session, arguments[2]), arguments[3] == name else {
          throw CommandError(.noExist, "no such sticker")
        }
        reply.add("sticker", "\(name)=\(rating.rawValue)")
      case ("list", 3):
        if let rating = try await rating(session, arguments[2]) { reply.add("sticker", "\(name)=\(rating.rawValue)") }
      case ("set", 5):
        guard arguments[3] == name, let rating = Int(arguments[4]).flatMap(Rating.init(rawValue:)) else {
          throw CommandError(.argument, "Lunara keeps the sticker \"rating\" only, from 0 to 10")
        }
        try await rate(session, arguments[2], rating)
      case ("delete", 3), ("delete", 4):
        guard arguments.count == 3 || arguments[3] == name, try await rating(session, arguments[2]) != nil else {
          throw CommandError(.noExist, "no such sticker")
        }
        try await rate(session, arguments[2], nil)
      case ("find", 4), ("find", 6): try await find(session, Array(arguments.dropFirst(2)), &reply)
      default: throw CommandError(.argument, "bad request")
      }
    }
  ]

  private static let name = "rating"

  private static func song(_ session: Session, _ path: String) async throws -> Song {
    guard let song = try await session.household.catalogue.index().song(at: path) else {
      throw CommandError.noSuchSong
    }
    return song
  }

  private static func rating(_ session: Session, _ path: String) async throws -> Rating? {
    let song = try await song(session, path)
    return try await session.household.client.ask(Library.ReadTrack(id: song.id), of: .library).track.rating
  }

  private static func rate(_ session: Session, _ path: String, _ rating: Rating?) async throws {
    let song = try await song(session, path)
    _ = try await session.household.client.ask(Library.Rate(id: song.id.playable, rating: rating), of: .library)
  }

  /// Lists the rated songs in a folder, of which the rating may be compared with a number.
  private static func find(_ session: Session, _ arguments: [String], _ reply: inout Reply) async throws {
    guard arguments[1] == name else { return }
    let comparison = arguments.count == 4 ? arguments[2] : nil
    let value = arguments.count == 4 ? try arguments[3].integer() : 0
    guard comparison.map({ ["=", "<", ">"].contains($0) }) ?? true else {
      throw CommandError(.argument, "bad operator")
    }
    let client = session.household.client
    let rated = try await Client.list(upTo: .max) { cursor, limit in
      try await client.ask(
        Library.ListTracks(after: cursor, limit: limit, tags: [Library.Tag(kind: .rating, name: "0.5")]), of: .library)
    }
    let index = try await session.household.catalogue.index()
    let allowed = Set(try index.songs(at: arguments[0]).map(\.id))
    for track in rated.items where allowed.contains(track.id) {
      guard let rating = track.rating?.rawValue, let song = index[track.id] else { continue }
      let isFound =
        switch comparison {
        case "=": rating == value
        case "<": rating < value
        case ">": rating > value
        default: true
        }
      guard isFound else { continue }
      reply.add("file", song.path)
      reply.add("sticker", "\(name)=\(rating)")
    }
  }
}
