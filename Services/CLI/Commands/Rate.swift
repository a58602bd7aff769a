import Bus
import Messages
import Model

extension Command {
  /// Rates something.
  static let rate = Command(
    name: "rate", summary: "rate an album, an artist or a track",
    discussion: "The rating is written to the source the music comes from, so the source must be reachable.",
    examples: [
      .init("lunara rate files:a3 4.5", "four and a half stars"), .init("lunara rate plex:t31 5", "a favourite"),
      .init("lunara rate plex:t31 none", "takes the rating away, as 0 does"),
    ],
    operand: .exactly(2, "ID STARS", help: "what to rate by its id or title, and 0.5 to 5 stars in halves, 0 or none"),
    action: .asynchronous { context in
      let rating = try stars(context.arguments.operands[1])
      let household = try await Client(context)
      guard let id = try await household.playables([context.arguments.operands[0]]).first else { return }
      _ = try await household.ask(Library.Rate(id: id, rating: rating), of: .library, within: .seconds(20))
      context.console.isJSON
        ? context.console.print(.object(["id": .text(id), "rating": .stars(rating)]))
        : context.console.print("\(id): \(rating?.shown ?? "no rating")\n")
    })

  /// Reads stars; nil for none.
  static func stars(_ word: String) throws -> Rating? {
    if word == "none" { return nil }
    guard let number = Double(word), let rating = Rating(stars: number) else {
      throw UsageError("A rating is 0.5 to 5 stars in halves, or 0 or none to take it away; not “\(word)”.")
    }
    return rating.rawValue == 0 ? nil : rating
  }
}
