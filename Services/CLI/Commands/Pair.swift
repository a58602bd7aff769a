import Bus
import Client
import Glibc
import Model
import ServiceKit

extension Option {
  static let pairPort = Option("--port", "PORT", help: "where the two machines meet (7699)")
  fileprivate static let machines = Option("--machines", "N", help: "how many machines the code is for (1)")
  fileprivate static let minutes = Option("--minutes", "N", help: "how long it is good (10)")
}

extension Command {
  static let pair = Command(
    name: "pair", summary: "show a code with which another machine joins this household",
    discussion: """
      On the other machine, `lunara join CODE` fetches the household's key and this machine's address; nothing has to be
      copied by hand. Whoever types the code is of the household: show it to nobody else. It is good for ten minutes and one
      machine, and void after five wrong ones. Makes the household's key where there is none, and has this machine's services
      listen for others where they do not. They meet at port 7699, TCP; UDP lets machines of this network find it by themselves.
      """,
    examples: [
      "lunara pair": "then, on the other machine: lunara join K7QM-3XPD",
      "lunara pair --machines 3": "one code for three machines",
    ],
    options: [.machines, .minutes, .pairPort],
    action: .blocking { try pairMachines($0) })

  private static func pairMachines(_ context: Context) throws -> ExitStatus {
    let (console, settings) = (context.console, try context.settings())
    let machines = try context.arguments.integer(.machines, in: 1...32) ?? 1
    let minutes = try context.arguments.integer(.minutes, in: 1...60) ?? 10
    let configuration = settings.file
    let network = Network(listen: settings.listen, advertise: settings.advertise)
    guard let seed = network.ownSeed, let place = Network.place(seed) else {
      throw LunaraError(
        "cli.pairNoAddress", "This machine has no address that others could reach. Connect it to the network first.")
    }
    var server = try PairingServer(port: try context.pairPort(), network)
    let keys = try MachineMembership.keys(at: settings.keyFile, console)
    let seeds = [seed] + settings.seeds.filter { $0 != seed }
    let code = PairingCode.random()
    let ends = ContinuousClock.now + .seconds(60 * minutes)
    var host = PairingHost(
      code: code,
      household: PairedHousehold(keys: keys, seeds: seeds, name: HostName.short, version: LunaraVersion.current),
      machines: machines, ends: ends)
    invite(code, to: server, at: place.host, within: minutes, machines, console)
    var joined = 0
    var listening: Result<Bool, any Error>?
    try server.run(&host, until: ends) { action, from in
      switch action {
      case .joined, .lost:
        // This is done for the first machine and not at the end, as Ctrl-C may end the command before: the machine
        // already has this machine's address.
        if listening == nil { listening = Result { try listen(settings, configuration) } }
        if case .joined = action { joined += 1 }
      default: break
      }
      tell(action, from, console)
    }
    if let isNew = try listening?.get() { printListeningHint(isNew, settings, configuration, place, console) }
    guard host.isDone else { throw host.isVoid ? Self.isVoid : Self.hasRunOut(joined, machines) }
    return .done
  }

  /// Sets this machine's services to listen for other machines. Returns false if the settings already use the network.
  private static func listen(_ settings: Settings, _ configuration: String) throws -> Bool {
    guard settings.listen == nil, settings.seeds.isEmpty, !settings.discovers else { return false }
    try Settings.change(configuration, [(name: "LUNARA_LISTEN", value: "tcp://*")])
    return true
  }

  private static func printListeningHint(
    _ isNew: Bool, _ settings: Settings, _ configuration: String, _ place: (host: String, port: UInt16),
    _ console: Console
  ) {
    guard !isNew else {
      return console.remark(
        "This machine did not listen for others: LUNARA_LISTEN=tcp://* stands in \(configuration) now. "
          + (settings.hasServices
            ? "Start its services again, so that they read this. \(restartHint)" : "Start it with `lunara up`."))
    }
    // Each service has its own port; the service that started first has this one.
    let isThere = SocketAddress.resolve(place.host, place.port).contains {
      NetworkSocket.connect(to: $0, within: Milliseconds(500)) != nil
    }
    guard !isThere else { return }
    console.remark(
      settings.hasServices
        ? "No service listens at \(place.host), port \(place.port), yet: start them again, so that they read the settings. \(restartHint)"
        : "No service runs on this machine yet: start it with `lunara up`.")
  }

  static let restartHint =
    "End `lunara up` with Ctrl-C and run it again, or, where systemd runs them, `systemctl --user restart lunara.target`; `sudo systemctl restart lunara.target` for those of the system."

  private static let isVoid = LunaraError(
    "cli.pairVoid",
    "\(PairingHost.tries) wrong codes were given, so this one is void. Run `lunara pair` again; if nobody in your household mistyped it, somebody on the network tried to join and failed."
  )

  private static func hasRunOut(_ joined: Int, _ machines: Int) -> LunaraError {
    LunaraError(
      "cli.pairExpired",
      "The code has run out, and \(joined == 0 ? "no machine" : "only \(joined) of \(machines)") has joined. Run `lunara pair` again for a new one."
    )
  }

  private static func invite(
    _ code: PairingCode, to server: PairingServer, at host: String, within minutes: Int, _ machines: Int,
    _ console: Console
  ) {
    let isUsual = server.port == PairingSearch.port
    let answersSearches = server.answersSearches && isUsual
    let at = isUsual ? host : "\(host.contains(":") ? "[\(host)]" : host):\(server.port)"
    guard !console.isJSON else {
      return console.print(
        [
          "code": code.text, "at": at, "found": answersSearches, "seconds": 60 * minutes, "machines": machines,
        ])
    }
    let whom = machines == 1 ? "the other machine" : "the \(machines) other machines"
    let line = console.style.strong("lunara join \(code.text)")
    console.print("On \(whom), within \(minutes) minutes:\n\n    \(line)\(answersSearches ? "" : " --at \(at)")\n\n")
    if answersSearches { console.remark("Where it finds nobody: lunara join \(code.text) --at \(at)") }
  }

  private static func tell(_ action: PairingHost.Action, _ from: String, _ console: Console) {
    func told(_ machine: PairingMachine) -> JSON {
      ["name": machine.name, "address": from, "version": machine.version]
    }
    func name(_ machine: PairingMachine) -> String {
      "\(machine.name.isEmpty ? "A machine" : Printable.line(machine.name)) (\(from))"
    }
    func tell(_ key: String, _ value: JSON, _ remark: String) {
      console.isJSON ? console.print(.object([.init(key: key, value: value)])) : console.remark(remark)
    }
    switch action {
    case .guessed(let left):
      tell(
        "wrongCode", ["address": from, "left": left],
        "A wrong code came from \(from). \(left) more wrong codes are allowed.")
    case .keptOut(let machine):
      tell(
        "keptOut", told(machine),
        "\(name(machine)) has the code, but is of another household: `lunara join … --replace` leaves that.")
    case .lost(let machine):
      tell(
        "lost", told(machine),
        "\(name(machine)) was sent the household's keys, but did not confirm that it stored them. If that is your machine, join there again: the code is still valid. If it is not, somebody else has the keys now: make new ones on all machines, as docs/threat-model.md says under “A lost key”."
      )
    case .joined(let machine):
      let style = console.style
      console.print(
        .object(["joined": told(machine)]), text: "\(style.good("✓")) \(style.strong(name(machine))) has joined.\n")
      if machine.version != LunaraVersion.current {
        console.remark(
          "It runs Lunara \(machine.version), this machine \(LunaraVersion.current). Bring both to one version.")
      }
    case .send, .close: break
    }
  }
}
