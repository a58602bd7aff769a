import Client
import Messages
import Model
import System

extension Command {
  static let garden = Command(
    name: "garden", summary: "all notes, marks, todos, likes and themes as one file",
    discussion: """
      The file is text for people: what you wrote and liked, by artist and album, and your themes, in Markdown. At its
      end is the same as JSON, from which `import` reads it. A file that ends with .json has the JSON only.
      """,
    examples: [
      "lunara garden export garden.md": "all of it, to read", "lunara garden import garden.md": "into this library",
    ],
    commands: [exportGarden, importGarden])

  private static let exportGarden = Command(
    name: "export", summary: "write all notes, marks, todos, likes and themes to a file",
    examples: [
      "lunara garden export garden.md": "Markdown, with JSON at its end", "lunara garden export garden.json": "JSON",
      "lunara garden export -": "to standard output",
    ],
    takes: .flag(.force), .operand("FILE", help: "a new file, or - for standard output")
  ) { client, console, replaces, name in
    var file = GardenFile()
    var after: String?
    repeat {
      let page = try await client.ask(Library.ExportGarden(after: after))
      file.items += page.items
      file.themes = (file.themes ?? []) + (page.themes ?? [])
      after = page.next
    } while after != nil
    let text = name.hasSuffix(".json") ? try file.json : try file.markdown
    guard name != "-" else { return console.print(text) }
    try ExportFile.write(text, to: name, replaces: replaces, code: "cli.badGardenFile")
    console.print(
      ["written": file.count], text: "\(Printable.count(file.count, "record")) written to \(Printable.line(name)).\n")
  }

  private static let importGarden = Command(
    name: "import", summary: "add the notes, marks, todos, likes and themes of such a file",
    discussion: """
      What is there already stays as it is, so a file can be imported twice: a theme of the same title, and what you
      think of an album already, stay too. No todo and no like of it is sent anywhere.
      """,
    examples: ["lunara garden import garden.md": "from an export, Markdown or JSON"],
    takes: Parameter(operand: .one("FILE", help: "the file")) { try readGarden($0.operands[0]) }
  ) { client, console, file in
    var total = Library.ImportedGarden()
    for part in try file.parts() {
      let result = try await client.ask(part)
      total.added += result.added
      total.known += result.known
      total.notHere += result.notHere
    }
    try console.print(
      total.json,
      text: "\(total.added) added, \(total.known) known already, \(total.notHere) about music that is not here.\n")
  }

  private static func readGarden(_ name: String) throws -> GardenFile {
    let bytes: [UInt8]
    do throws(Errno) { bytes = try Files.read(name, limit: 256 << 20) } catch {
      throw LunaraError("cli.badGardenFile", "\(name) cannot be read. Check the name and its mode.", cause: error)
    }
    return try GardenFile(String(decoding: bytes, as: UTF8.self), name)
  }
}
