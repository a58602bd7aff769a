import Client
import Messages
import Model

extension Command {
  static let rate = Command(
    name: "rate", summary: "rate an album, an artist or a track",
    discussion: "The rating is written to the source the music comes from, so the source must be reachable.",
    examples: [
      "lunara rate files:a3 4.5": "four and a half stars", "lunara rate plex:t31 5": "a favourite",
      "lunara rate plex:t31 none": "takes the rating away, as 0 does",
    ],
    takes: .operands(
      "ID STARS", 2...2, help: "what to rate by its id or title, and 0.5 to 5 stars in halves, 0 or none",
      completes: .household(.playables)), Parameter { try stars($0.operands[1]) }
  ) { client, console, words, rating in
    guard let id = try await client.playables([words[0]]).first else { return }
    _ = try await client.ask(Library.Rate(id: id, rating: rating))
    console.print(
      .object(["id": .text(id), "rating": .stars(rating)]), text: "\(id): \(rating?.shown ?? "no rating")\n")
  }

  static let pin = Command(
    name: "pin", summary: "put a collection before the others, or back among them",
    examples: [
      "lunara pin \"Key Albums\"": "the first in `lunara collections` and on the page",
      "lunara pin plex:c2 --off": "in its place by title again",
    ],
    each: .collections, takes: .flag("--off", help: "put it back among the others")
  ) { client, console, id, isOff in
    _ = try await client.ask(Library.Pin(id: id, isPinned: !isOff))
    console.print(["id": id, "isPinned": !isOff], text: "\(id): \(isOff ? "not pinned" : "pinned")\n")
  }

  static func stars(_ word: String) throws -> Rating? {
    if word == "none" { return nil }
    guard let number = Double(word), let rating = Rating(stars: number) else {
      throw UsageError("A rating is 0.5 to 5 stars in halves, or 0 or none to take it away; not “\(word)”.")
    }
    return rating.rawValue == 0 ? nil : rating
  }
}
