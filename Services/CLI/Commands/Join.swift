import Bus
import Client
import Model
import ServiceKit

extension Option {
  fileprivate static let at = Option("--at", "ADDRESS", help: "where `lunara pair` runs, if it is not found by itself")
  static let replace = Option(
    "--replace", help: "leave this machine's present household; its key is kept in another file")
  static let joinedRoom = Option("--room", "NAME", help: "what this machine's room is to be called (LUNARA_ROOM)")
}

extension Command {
  static let join = Command(
    name: "join", summary: "become one of a household's machines, with the code that `lunara pair` shows there",
    discussion: """
      Fetches the household's key and addresses from the machine that shows the code, and writes them into the key file
      and lunara.env; all other settings stay as they are. Who listens on the network learns nothing from it, then or later.
      """,
    examples: [
      "lunara join K7QM-3XPD --room kitchen": "on the new machine; the other one is found on the network",
      "lunara join K7QM-3XPD --at 192.168.1.10": "where it is in another network, or not found",
    ],
    options: [.at, .replace, .joinedRoom, .pairPort],
    operand: .one("CODE", help: "the code; small letters and spaces do as well"),
    action: .blocking { context in
      let code = try PairingCode(context.arguments.operands[0]).orUsage(
        "A code is eight letters and digits, such as K7QM-3XPD.")
      let settings = try context.settings()
      let membership = MachineMembership(context, settings)
      let machine = PairingMachine(
        name: HostName.short, version: LunaraVersion.current, keys: try membership.keys(), gives: membership.replaces)
      var joined: (household: PairedHousehold, change: MachineMembership.Change)?
      try pairWithHost(context, code, machine) { household in joined = (household, try membership.keep(household)) }
      guard let joined else { throw PairingJoiner.cut() }
      report(joined.household, joined.change, membership, settings, context.console)
      return .done
    })

  /// Tries the machines that show a code, one after the other, until one accepts this code.
  private static func pairWithHost(
    _ context: Context, _ code: PairingCode, _ machine: PairingMachine, keep: (PairedHousehold) throws -> Void
  ) throws {
    let (port, at) = (try context.pairPort(), context.arguments.value(.at))
    let places: [SocketAddress]
    if let at {
      let place = try pairingAddress(at, port).orUsage(
        "--at takes an address or a name, such as 192.168.1.10, not “\(at)”.")
      places = SocketAddress.resolve(place.host, place.port)
    } else {
      context.console.remark("Looking for the machine that shows a code…")
      places = PairingClient.search(at: SocketAddress.broadcasts(port), within: .seconds(10))
    }
    var refusal: (any Error)?
    for place in places {
      do {
        if try PairingClient.exchange(to: place, PairingJoiner(code: code, machine: machine), keep: keep) { return }
      } catch  where codesOfAnotherHousehold.contains(LunaraError(error).code) {
        // With --at all addresses belong to one machine, which accepts only five wrong codes.
        if at != nil, LunaraError(error).code == wrongCode { throw error }
        // A machine of another household may show a code as well. Of several refusals, “wrong code” is reported.
        if refusal.map({ LunaraError($0).code }) != wrongCode { refusal = error }
      }
    }
    throw refusal ?? noAnswer(at, port)
  }

  private static let wrongCode = "bus.pairWrongCode"
  private static let codesOfAnotherHousehold: Set<String> = [
    wrongCode, "bus.pairOver", "bus.pairBroken", "bus.pairVersion",
  ]

  /// Returns the host and port of `--at`, where `lunara pair` runs; nil for text that is no address. Without a port,
  /// `port` is used, not the port of nodes.
  static func pairingAddress(_ text: String, _ port: UInt16) -> (host: String, port: UInt16)? {
    let text = text.hasPrefix("tcp://") ? String(text.dropFirst(6)) : text
    if text.contains("]:") || text.count(where: { $0 == ":" }) == 1 { return Network.place(text) }
    return Network.place("\(text.contains(":") && !text.hasPrefix("[") ? "[\(text)]" : text):\(port)")
  }

  /// Returns the error for the case that no machine answered at `at`, or at `port` of this network. An address with a
  /// port of its own was tried at that port.
  static func noAnswer(_ at: String?, _ port: UInt16) -> LunaraError {
    LunaraError(
      "cli.pairNobody",
      at.map {
        "Nobody answers at \($0). Is `lunara pair` still running there? A code is good for ten minutes. A firewall has to let port \(pairingAddress($0, port)?.port ?? port) pass."
      }
        ?? "No machine on this network shows a code. Is `lunara pair` still running there? A code is good for ten minutes. Where it is in another network, give its address: --at ADDRESS\(port == PairingSearch.port ? "" : ":\(port)")."
    )
  }

  /// The smallest difference of two clocks, in microseconds, that causes a warning; the same as in `lunara doctor`.
  private static let skew: Int64 = 5_000_000

  private static func report(
    _ household: PairedHousehold, _ change: MachineMembership.Change, _ membership: MachineMembership,
    _ settings: Settings, _ console: Console
  ) {
    let now = Timestamp.now().microseconds
    let apart = now - (household.time?.microseconds ?? now)
    guard !console.isJSON else {
      return console.print(
        .object([
          "household": .text(household.name), "version": .text(household.version),
          "keyFile": .string(membership.keyFile), "keys": .list(change.keys) { .string($0.description) },
          "configuration": .string(membership.configuration),
          "settings": .object(change.settings.map { JSON.Member(key: $0.name, value: .string($0.value)) }),
          "keptAside": .text(change.keptAside), "clockSkewSeconds": .number(Double(apart) / 1e6),
        ]))
    }
    console.print(
      "\(console.style.good("✓")) This machine is of the household of \(console.style.strong(Printable.line(household.name))) now.\n"
    )
    let rows =
      [("key", membership.keyFile, change.keys.map(\.description).joined(separator: ", "))]
      + change.settings.map { ("setting", membership.configuration, "\($0.name)=\($0.value)") }
      + (change.keptAside.map { [("old key", $0, "")] } ?? [])
    console.print(Table(rows.map { [.faint($0), .init($1), .init($2)] }))
    if household.version != LunaraVersion.current {
      console.remark(
        "\(household.name) runs Lunara \(household.version), this machine \(LunaraVersion.current). Bring both to one version."
      )
    }
    if abs(apart) > skew {
      console.remark(
        "The two clocks are \(abs(apart) / 1_000_000) s apart. Have both set by the network: timedatectl set-ntp true.")
    }
    let room = membership.room ?? settings.room.rawValue
    console.remark(
      settings.hasServices
        ? "Services run here already: start them again, so that they read this. \(restartHint)"
        : "Start its room with `lunara up --room \(room)`; `lunara enable` has it start with the machine.")
  }
}
