import Bus
import Client
import Messages
import Model
import System

extension Command {
  static let review = Command(
    name: "review", summary: "what a language model of your choice writes about an album",
    discussion: """
      A review is written when you ask for it, and kept for good. It is the opinion of a model, which may be wrong. Reviews
      are off until `lunara review settings` names an endpoint; the model may run on a machine of yours.
      """,
    examples: [
      "lunara review files:a3": "the review that is kept, or a new one",
      "lunara review files:a3 --again": "a new one in place of it",
    ],
    each: .albums(),
    takes: .flag("--again", help: "have it written once more; the old one stays until then"),
    commands: [reviewSettings],
    through: Client.startingDiscovery
  ) { client, console, album, isAgain in
    // The library may be read for the first time, which is waited for.
    var status = try await client.ask(Discovery.ReadReview(album: album), within: .seconds(12))
    if !status.isBeingMade, status.review == nil || isAgain {
      let request = Discovery.MakeReview(album: album, isAgain: isAgain ? true : nil)
      status = try await client.ask(request)
    }
    while status.isBeingMade {
      console.progress("The review is being written. It may take two minutes.")
      try await Task.sleep(for: .milliseconds(500))
      status = try await client.ask(Discovery.ReadReview(album: album))
    }
    console.progress(nil)
    if let problem = status.problem, isAgain || status.review == nil { throw problem }
    guard let review = status.review else {
      throw LunaraError("cli.noReview", "The writing of the review was broken off. Ask for it again.")
    }
    console.print(status.json, text: review.text(console))
  }

  private static let reviewSettings = Command(
    name: "settings", summary: "which language model writes reviews, or off",
    discussion: """
      Without options it shows how reviews are written. Only https is allowed, but http to this computer and to private
      networks. The key is kept among the household's credentials, and sent to this endpoint only.
      """,
    examples: [
      "lunara review settings": "what is set, and what leaves the house",
      "lunara review settings --endpoint http://127.0.0.1:11434/v1 --model gpt-oss:20b": "a model on this machine",
      "lunara review settings --endpoint https://models.example/v1 --model large --key-file key.txt": "one elsewhere",
      "lunara review settings off": "writes no more, and forgets the key; reviews that there are stay",
    ],
    takes: .text("--endpoint", "URL", help: "the address of a language model with an interface of OpenAI's form"),
    .text("--model", "NAME", help: "the name of the model, as the endpoint calls it"),
    .text("--key-file", "FILE", help: "a file with the endpoint's key on its first line; - to type it"),
    .integer("--cap", in: 1...1000, help: "how many requests a day at most, 1 to 1000; first 20"),
    .optional("off", help: "switch reviews off", completes: .words(["off"])),
    through: Client.startingDiscovery
  ) { client, console, newEndpoint, model, file, cap, word in
    var settings = try await client.ask(Discovery.ReadReviewSettings())
    let isChange = newEndpoint != nil || model != nil || file != nil || cap != nil
    if let word {
      guard word == "off", !isChange else { throw UsageError("Say “off” alone, or give options.") }
      settings = try await client.ask(Discovery.SetReviews(endpoint: nil))
    } else if isChange {
      let endpoint = try (newEndpoint ?? settings.endpoint).orUsage(
        "Reviews are off. Give --endpoint URL and --model NAME to switch them on.")
      let request = Discovery.SetReviews(endpoint: endpoint, model: model, key: try await key(file), dailyCap: cap)
      settings = try await client.ask(request)
    }
    console.print(settings.json, settings.table, ifEmpty: "")
    console.remark(settings.sends)
  }

  /// Reads the first line of a file; nil without a file, empty if the line is.
  private static func key(_ file: String?) async throws -> String? {
    guard let file else { return nil }
    if file == "-" { return try await SecretPrompt.read("Key: ", from: nil) ?? "" }
    let bytes: [UInt8]
    do throws(Errno) { bytes = try Files.read(file, limit: 65_536) } catch {
      throw LunaraError("cli.badKeyFile", "\(file) cannot be read. Check the name and its mode.", cause: error)
    }
    return SecretPrompt.line(bytes) ?? ""
  }
}

extension Discovery.Review {
  /// The review for people, wrapped to the terminal.
  fileprivate func text(_ console: Console) -> String {
    let width = min(console.width ?? 80, 100)
    var lines = Printable.wrapped(summary, width, indent: "") + [""]
    for point in points { lines += Printable.wrapped(point, width, indent: "  ", first: "• ") }
    let rating = tenths.map { "\($0 / 10).\($0 % 10) of 10" }
    let judgement = [console.style.strong(Printable.line(label)), "tier \(tier) of 8", rating].compactMap { $0 }
    lines += ["", judgement.joined(separator: " · ")]
    if !keyTracks.isEmpty {
      lines += Printable.wrapped("Key tracks: \(keyTracks.joined(separator: ", "))", width, indent: "  ", first: "")
    }
    lines.append(console.style.faint("Written by \(Printable.line(model)) on \(writtenAt.local); it may be wrong."))
    return lines.joined(separator: "\n") + "\n"
  }
}

extension Discovery.ReviewSettings {
  fileprivate var table: Table {
    let rows: [(String, String)] = [
      ("endpoint", endpoint ?? "none: reviews are off"), ("model", model ?? ""),
      ("key", hasKey ? "stored" : "none"), ("requests today", "\(today) of \(dailyCap)"), ("reviews kept", "\(kept)"),
    ]
    return Table(rows.filter { !$0.1.isEmpty }.map { [.init($0.0), .strong($0.1)] })
  }
}

extension Printable {
  /// Returns a text as lines of at most `width` columns, broken at blanks. A word that is wider has a line of its own.
  ///
  /// - Parameters:
  ///   - indent: what stands before each line but the first.
  ///   - first: what stands before the first line; nil for the same.
  static func wrapped(_ text: String, _ width: Int, indent: String, first: String? = nil) -> [String] {
    var lines: [String] = []
    var line = first ?? indent
    var isEmpty = true
    for word in Printable.line(text).split(separator: " ") {
      if !isEmpty, columns(line) + 1 + columns(String(word)) > width {
        lines.append(line)
        line = indent
        isEmpty = true
      }
      line += (isEmpty ? "" : " ") + word
      isEmpty = false
    }
    return lines + [line]
  }
}
