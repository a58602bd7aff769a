import Client
import Messages
import Model

extension Command {
  static let track = Command(
    name: "track", summary: "one track with its copies: format, quality and path of each",
    examples: [
      "lunara track files:t14": "by its id", "lunara track \"Last Tram\"": "by its title",
      "lunara track files:t14 --tags": "every tag of its file, also those that Lunara does not use",
    ],
    each: .tracks,
    takes: .flag("--tags", help: "all tags of its file, as they stand there")
  ) { client, console, id, isAll in
    guard isAll else {
      let track = try await client.track(["\(id)"])
      return console.isJSON ? console.print(track.json) : track.print(to: console)
    }
    let tags = try await client.tags(id)
    console.isJSON ? console.print(tags.json) : tags.print(to: console)
  }
}

extension Library.TrackTags {
  /// Prints the path, then the tags of each kind under its name, a value a line.
  fileprivate func print(to console: Console) {
    console.print(Printable.line(path.description) + "\n")
    var kind: String?
    for tag in tags {
      if tag.kind != kind { console.print("\n" + console.style.faint(Printable.line(tag.kind)) + "\n") }
      kind = tag.kind
      console.print("  \(Printable.line(tag.name)): \(Printable.line(tag.value))\(tag.remark)\n")
    }
    if tags.isEmpty { console.remark("The file has no tags.") }
    if let omitted {
      console.remark("\(Printable.count(omitted, "value")) more did not fit: at most 64 KiB are shown.")
    }
  }
}

extension Library.FileTag {
  /// The length of a value that is no text, or is cut; empty for others.
  fileprivate var remark: String {
    guard let length else { return "" }
    let bytes = Printable.count(length, "byte")
    if value.utf8.count >= Self.cutLength, value.utf8.count < length { return " … (cut, of \(bytes))" }
    return value.isEmpty ? bytes : " (\(bytes))"
  }

  /// The length that a value has at least which is cut: a character of four bytes may be missing at 4 KiB.
  private static let cutLength = (4 << 10) - 3
}
