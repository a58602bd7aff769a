import ServiceKit
import Bus
import Client
import Glibc

extension Option {
  static let keyFile = Option("--file", "FILE", help: "the key file (LUNARA_KEY_FILE)")
  static let secret = Option("--secret", help: "show the keys themselves; anyone who sees them can join")
  static let promote = Option("--promote", help: "second step: the new key seals, the former one only opens")
  static let finish = Option("--finish", help: "third step: drop the former key")
}

extension Command {
  static let key = Command(
    name: "key", summary: "the key that lets machines of one household talk over the network",
    discussion: """
      The machines of a household share one key file, household.key beside lunara.env unless LUNARA_KEY_FILE names
      another. Without it a service talks to this machine only. Copy it by a way nobody else can read, such as scp.
      """,
    commands: [newKey, showKey, rotateKey, reloadKey])

  private static let newKey = Command(
    name: "new", summary: "make the household's key",
    discussion: """
      A file that is there already is left alone. A key that somebody else has seen is replaced by moving the
      file away, making a new one, copying it everywhere and restarting all machines.
      """,
    examples: [
      "lunara key new": "on the first machine; the others get a copy of the file",
      "lunara key new --file ./household.key": "somewhere else",
    ], options: [.keyFile],
    action: .blocking { context in
      let path = try context.keyFile()
      let file = KeyFile([.init(try .random())], comments: [KeyFile.headerComment])
      try file.create(at: path)
      try file.print(
        to: context.console, at: path,
        next: """
          Copy \(path) to every machine of the household, readable by its owner only, and set LUNARA_LISTEN and
          LUNARA_SEEDS there. Services that run already are restarted.
          """)
      return .done
    })

  private static let showKey = Command(
    name: "show", summary: "which keys there are, and which one seals",
    examples: [
      "lunara key show": "their ids, equal on all machines that understand each other",
      "lunara key show --secret": "with the keys themselves",
    ], options: [.keyFile, .secret],
    action: .blocking { context in
      let path = try context.keyFile()
      let file = try KeyFile(at: path)
      try file.print(to: context.console, at: path, showsSecrets: context.arguments.has(.secret), next: file.stage.hint)
      return .done
    })

  private static let rotateKey = Command(
    name: "rotate", summary: "change the key without stopping the music",
    discussion: """
      In three steps, each done on one machine and then carried to the others: copy the file everywhere, run
      `lunara key reload` on each machine, this one included, and only then take the next step.
        1. `rotate` adds a new key that opens and does not seal yet.
        2. `rotate --promote` seals with it; the former key still opens.
        3. `rotate --finish` drops the former key.
      So whatever is sealed at any moment can be opened by all. `lunara key show` tells which step comes next.
      """,
    examples: [
      "lunara key rotate": "a new key is known, the old one seals",
      "lunara key rotate --promote": "once all machines have reloaded: the new one seals",
      "lunara key rotate --finish": "once all machines have reloaded again: the old one is no longer accepted",
    ], options: [.keyFile, .promote, .finish],
    action: .blocking { context in
      guard !(context.arguments.has(.promote) && context.arguments.has(.finish)) else {
        throw UsageError("--promote and --finish are two steps, with a reload of all machines in between.")
      }
      let path = try context.keyFile()
      var file = try KeyFile(at: path)
      if context.arguments.has(.promote) {
        try file.promote()
      } else if context.arguments.has(.finish) {
        try file.finish()
      } else {
        try file.announce(try .random())
      }
      try file.replace(at: path)
      try file.print(
        to: context.console, at: path,
        next: "Now copy \(path) to every machine and run `lunara key reload` on each, this one included."
          + (file.stage.hint.map { "\n\($0)" } ?? ""))
      return .done
    })

  private static let reloadKey = Command(
    name: "reload", summary: "have the services of this machine read the key file again",
    examples: ["lunara key reload": "after the file has changed; the music goes on"],
    action: .blocking { context in
      let directory = try Client.directory(try context.settings())
      let told = directory.liveNodes().filter { Client.isService($0) }.compactMap { node in
        NodeLock.holder(directory.lock(of: node)).map { (node: node, pid: $0) }
      }.filter { kill($0.pid, SIGHUP) == 0 }
      let list = JSON.list(told) {
        ["role": $0.node.role, "name": $0.node.name, "pid": $0.pid]
      }
      context.console.print(.object(["told": list]), text: told.map { "\($0.node)\t\($0.pid)\n" }.joined())
      context.console.remark("The services were notified; their log names any problem with the file.")
      return .done
    })
}

extension Context {
  func keyFile() throws -> String { try arguments.value(.keyFile) ?? settings().keyFile }
}

extension KeyFile {
  /// Prints the keys as text, or as JSON without `next`; `next` says what to do next.
  fileprivate func print(to console: Console, at path: String, showsSecrets: Bool = false, next: String?) throws {
    let mode = try KeyFile.mode(of: path)
    guard !console.isJSON else { return console.print(json(path, mode, showsSecrets)) }
    console.print("\(Printable.line(path))\t\(mode)\n")
    let rows = entries.enumerated().map { index, entry -> [Table.Cell] in
      [
        .strong(entry.key.id.description), .init(index == 0 ? "seals and opens" : "opens"),
        .faint(index > 0 ? entry.mark?.rawValue ?? "" : ""), .init(showsSecrets ? entry.key.secretText : ""),
      ]
    }
    console.print(Table(rows))
    if let next { console.remark(next) }
  }

  private func json(_ path: String, _ mode: String, _ showsSecrets: Bool) -> JSON {
    let keys = entries.enumerated().map { index, entry in
      let key = JSON.object([
        "id": .string(entry.key.id.description), "seals": .bool(index == 0),
        "mark": index > 0 ? .text(entry.mark?.rawValue) : .null,
      ])
      return showsSecrets ? key.with("secret", .string(entry.key.secretText)) : key
    }
    return .object([
      "path": .string(path), "mode": .string(mode), "stage": .string(stage.rawValue), "keys": .array(keys),
    ])
  }
}

extension KeyFile.Stage {
  fileprivate var hint: String? {
    switch self {
    case .idle: nil
    case .announced: "When all have done so: `lunara key rotate --promote` on one of them."
    case .promoted: "When all have done so: `lunara key rotate --finish` on one of them."
    }
  }
}
