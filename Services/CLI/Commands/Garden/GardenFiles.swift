import Bus
import Client
import Messages
import Model
import System

extension Command {
  static let garden = Command(
    name: "garden", summary: "all notes, marks and todos as one file",
    discussion: """
      The file is text for people: what you wrote, by artist and album, in Markdown. At its end is the same as JSON, from
      which `import` reads it. A file that ends with .json has the JSON only.
      """,
    examples: [
      "lunara garden export garden.md": "all of it, to read", "lunara garden import garden.md": "into this library",
    ],
    commands: [exportGarden, importGarden])

  private static let exportGarden = Command(
    name: "export", summary: "write all notes, marks and todos to a file",
    examples: [
      "lunara garden export garden.md": "Markdown, with JSON at its end", "lunara garden export garden.json": "JSON",
      "lunara garden export -": "to standard output",
    ],
    operand: .one("FILE", help: "the file, or - for standard output"),
    action: .asynchronous { context in
      let name = context.arguments.operands[0]
      let client = try await Client(context)
      var records: [Library.GardenRecord] = []
      var after: String?
      repeat {
        let page = try await client.ask(Library.ExportGarden(after: after), of: .library)
        records += page.items
        after = page.next
      } while after != nil
      let file = name.hasSuffix(".json") ? GardenFile.json(records) : GardenFile.markdown(records)
      guard name != "-" else { return context.console.print(file) }
      do throws(Errno) { try Files.replace(name, with: Array(file.utf8)) } catch {
        throw LunaraError(
          "cli.badGardenFile", "\(name) cannot be written. Name a file in a folder of yours.", cause: error)
      }
      context.console.print(
        .object(["written": .count(records.count)]),
        text: "\(Printable.count(records.count, "record")) written to \(Printable.line(name)).\n")
    })

  private static let importGarden = Command(
    name: "import", summary: "add the notes, marks and todos of such a file",
    discussion:
      "What is there already stays as it is, so a file can be imported twice. No todo of it is sent anywhere.",
    examples: ["lunara garden import garden.md": "from an export, Markdown or JSON"],
    operand: .one("FILE", help: "the file"),
    action: .asynchronous { context in
      let name = context.arguments.operands[0]
      let bytes: [UInt8]
      do throws(Errno) { bytes = try Files.read(name, limit: 256 << 20) } catch {
        throw LunaraError(
          "cli.badGardenFile", "\(name) cannot be read. Check the name and its mode.", cause: error)
      }
      let records = try GardenFile.records(in: String(decoding: bytes, as: UTF8.self), name)
      let client = try await Client(context)
      var total = Library.ImportedGarden()
      for part in GardenFile.parts(of: records) {
        let result = try await client.ask(Library.ImportGarden(items: part), of: .library)
        total.added += result.added
        total.known += result.known
        total.notHere += result.notHere
      }
      context.console.print(
        total.json,
        text: "\(total.added) added, \(total.known) known already, \(total.notHere) about music that is not here.\n")
    })
}

/// The file of an export.
enum GardenFile {
  private static let fence = "```json"

  /// Returns records as JSON, one a line.
  static func json(_ records: [Library.GardenRecord]) -> String {
    let lines = records.map { Printable.json($0.json.description) }.joined(separator: ",\n")
    return "{\"garden\":1,\"items\":[\n\(lines)\n]}\n"
  }

  /// Returns records as Markdown, with the JSON at its end.
  static func markdown(_ records: [Library.GardenRecord]) -> String {
    var text = "# Garden\n"
    let artists = Dictionary(grouping: records) { $0.on.artist }
    for artist in artists.keys.sorted() {
      text += "\n## \(Printable.line(artist))\n"
      let things = Dictionary(grouping: artists[artist] ?? []) { $0.on.kind == .artist ? "" : $0.album ?? $0.on.title }
      for thing in things.keys.sorted() {
        if !thing.isEmpty { text += "\n### \(Printable.line(thing))\n" }
        for record in (things[thing] ?? []).sorted(by: { $0.at < $1.at }) { text += paragraph(record) }
      }
    }
    return text + "\n## All of it for `lunara garden import`\n\n\(fence)\n\(json(records))```\n"
  }

  private static func paragraph(_ record: Library.GardenRecord) -> String {
    let kind =
      switch record.form {
      case .mark: "Mark for deletion, \(record.state ?? "marked")"
      case .todo: "Todo (\(record.about?.rawValue ?? "other")), \(record.state ?? "open")"
      default: record.session == nil ? "Note" : "Note on a session"
      }
    let track = record.on.kind == .track ? " on “\(Printable.line(record.on.title))”" : ""
    let lines = record.text.split(separator: "\n", omittingEmptySubsequences: false).map { Printable.line(String($0)) }
    return "\n*\(kind)\(track), \(record.at.local)*\n\n\(lines.joined(separator: "\n"))\n"
  }

  /// Returns the records of a file, from its last block of JSON where it is Markdown. Throws `cli.badGardenFile`.
  static func records(in text: String, _ name: String) throws -> [Library.GardenRecord] {
    struct File: Decodable {
      var garden: Int
      var items: [Library.GardenRecord]
    }
    var json = text[...]
    if !text.drop(while: \.isWhitespace).hasPrefix("{"), let start = text.ranges(of: "\n\(fence)\n").last {
      json = text[start.upperBound...]
      if let end = json.ranges(of: "\n```").last { json = json[..<end.lowerBound] }
    }
    do {
      let file = try MessageCoding.decode(File.self, from: Array(json.utf8))
      guard file.garden == 1 else { throw wrong(name) }
      return file.items
    } catch {
      throw wrong(name)
    }
  }

  private static func wrong(_ name: String) -> LunaraError {
    LunaraError("cli.badGardenFile", "\(name) is no file that `lunara garden export` wrote.")
  }

  /// Returns records in parts that fit into a request.
  static func parts(of records: [Library.GardenRecord]) -> [[Library.GardenRecord]] {
    var parts: [[Library.GardenRecord]] = []
    var size = Int.max
    for record in records {
      let own = record.json.description.utf8.count
      if size > 150_000 - own || (parts.last?.count ?? 0) >= 500 {
        parts.append([])
        size = 0
      }
      parts[parts.count - 1].append(record)
      size += own
    }
    return parts
  }
}
