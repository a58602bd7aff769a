import Bus
import Client
import Model
import ServiceKit

extension Option {
  fileprivate static let at = Option("--at", "ADDRESS", help: "where `lunara pair` runs, if it is not found by itself")
  static let replace = Option("--replace", help: "leave the household that this machine is of; its key is kept aside")
  static let joinedRoom = Option("--room", "NAME", help: "what this machine's room is to be called (LUNARA_ROOM)")
  fileprivate static let ofJoin = [at, replace, joinedRoom, pairPort]
}

extension Command {
  /// Makes this machine one of a household.
  static let join = Command(
    name: "join", summary: "become one of a household's machines, with the code that `lunara pair` shows there",
    discussion: """
      Fetches the household's key and addresses from the machine that shows the code, and writes them into the key file
      and lunara.env; all other settings stay as they are. Nobody who listens learns anything by it, then or later.
      """,
    examples: [
      .init("lunara join K7QM-3XPD --room kitchen", "on the new machine; the other one is found on the network"),
      .init("lunara join K7QM-3XPD --at 192.168.1.10", "where it is in another network, or not found"),
    ],
    options: Option.ofJoin,
    operand: .one("CODE", help: "the code; small letters and spaces do as well"),
    action: .held { context in
      guard let code = PairingCode(context.arguments.operands[0]) else {
        throw UsageError("A code is eight letters and digits, such as K7QM-3XPD.")
      }
      let settings = try context.settings()
      let membership = MachineMembership(context, settings)
      let machine = PairingMachine(
        name: HostName.current, version: LunaraVersion.current, keys: try membership.keys(), gives: membership.replaces)
      var told: (household: PairedHousehold, change: MachineMembership.Change)?
      try call(context, code, machine) { household in told = (household, try membership.keep(household)) }
      guard let told else { throw PairingJoiner.cut() }
      Joined(household: told.household, change: told.change, membership: membership, settings: settings)
        .print(to: context.console)
      return .done
    })

  /// Talks to the machines that show a code, one after the other, until one takes this one's.
  private static func call(
    _ context: Context, _ code: PairingCode, _ machine: PairingMachine, keep: (PairedHousehold) throws -> Void
  ) throws {
    let port = try context.pairPort()
    let places: [SocketAddress]
    let at = context.arguments.value(.at)
    if let text = at {
      guard let place = meetingPlace(text, port) else {
        throw UsageError("--at takes an address or a name, such as 192.168.1.10, not “\(text)”.")
      }
      places = SocketAddress.resolve(place.host, place.port)
    } else {
      context.console.note("Looking for the machine that shows a code…")
      places = PairingClient.seek(at: SocketAddress.broadcasts(port), within: .seconds(10))
    }
    var refusal: (any Error)?
    for place in places {
      do {
        if try PairingClient.talk(to: place, PairingJoiner(code: code, machine: machine), keep: keep) { return }
      } catch  where mayBeAnother.contains(LunaraError(error).code) {
        // All addresses of one name are one machine, and each try is one of five there.
        if at != nil, LunaraError(error).code == wrongCode { throw error }
        // Another household may show a code as well. That a code was wrong says more than what others there said.
        if refusal.map({ LunaraError($0).code }) != wrongCode { refusal = error }
      }
    }
    throw refusal ?? nobody(at, port)
  }

  private static let wrongCode = "bus.pairWrongCode"
  private static let mayBeAnother: Set<String> = [wrongCode, "bus.pairOver", "bus.pairBroken", "bus.pairVersion"]

  /// Returns the address of `--at`, where `lunara pair` runs; nil for what is no address. Its port is not that of the
  /// nodes.
  static func meetingPlace(_ text: String, _ port: UInt16) -> (host: String, port: UInt16)? {
    let text = text.hasPrefix("tcp://") ? String(text.dropFirst(6)) : text
    return Network.place(hasPort(text) ? text : "\(bracketed(text)):\(port)")
  }

  private static func hasPort(_ text: String) -> Bool {
    text.contains("]:") || text.count(where: { $0 == ":" }) == 1
  }

  private static func bracketed(_ text: String) -> String {
    text.contains(":") && !text.hasPrefix("[") ? "[\(text)]" : text
  }

  private static func nobody(_ at: String?, _ port: UInt16) -> LunaraError {
    LunaraError(
      "cli.pairNobody",
      at.map {
        "Nobody answers at \($0). Is `lunara pair` still running there? A code is good for ten minutes. A firewall has to let port \(port) pass."
      }
        ?? "No machine on this network shows a code. Is `lunara pair` still running there? A code is good for ten minutes. Where it is in another network, give its address: --at ADDRESS."
    )
  }
}

/// The report to the person whose machine has joined.
private struct Joined {
  let household: PairedHousehold
  let change: MachineMembership.Change
  let membership: MachineMembership
  let settings: Settings

  /// From here on clocks are told to be apart, as `lunara doctor` does.
  private static let skew: Int64 = 5_000_000

  func print(to console: Console) {
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
      "\(console.style.good("✓")) This machine is of the household of \(console.style.strong(household.name)) now.\n")
    var table = Table()
    table.add(
      .faint("key"), Table.Cell(membership.keyFile), .faint(change.keys.map(\.description).joined(separator: ", ")))
    for (name, value) in change.settings {
      table.add(.faint("setting"), Table.Cell(membership.configuration), Table.Cell("\(name)=\(value)"))
    }
    if let aside = change.keptAside { table.add(.faint("old key"), Table.Cell(aside), .faint("")) }
    console.print(table)
    if household.version != LunaraVersion.current {
      console.note(
        "\(household.name) runs Lunara \(household.version), this machine \(LunaraVersion.current). Bring both to one version."
      )
    }
    if abs(apart) > Self.skew {
      console.note(
        "The two clocks are \(abs(apart) / 1_000_000) s apart. Have both set by the network: timedatectl set-ntp true.")
    }
    console.note(next)
  }

  /// The next steps for the person.
  private var next: String {
    let room = settings.room.rawValue
    let name = membership.room ?? room
    guard settings.hasServices else {
      return "Start its room with `lunara up --room \(name)`; `lunara enable` has it start with the machine."
    }
    return "Services run here already: start them again, so that they read this. \(Command.restartHint)"
  }
}
