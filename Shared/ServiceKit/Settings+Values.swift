public import Bus
import Glibc
public import Bus
public import Model

/// The settings as typed values.
extension Settings {
  /// The folder of this household's data.
  public var home: String {
    let share = self["XDG_DATA_HOME"] ?? (self["HOME"] ?? "/root") + "/.local/share"
    return self["LUNARA_HOME"] ?? firstFolder("STATE_DIRECTORY") ?? share + "/lunara"
  }

  /// The folder of the ipc sockets.
  public var run: String {
    if let run = self["LUNARA_RUN"] ?? firstFolder("RUNTIME_DIRECTORY") { return run }
    if let folder = self["XDG_RUNTIME_DIR"], access(folder, W_OK) == 0 { return folder + "/lunara" }
    if geteuid() == 0 || access("/run/lunara", W_OK | X_OK) == 0 { return "/run/lunara" }
    return "/tmp/lunara-\(geteuid())"
  }

  /// The path of the configuration file, which may be missing.
  public var file: String {
    if let file = self["LUNARA_CONFIG"] { return file }
    return (configurationFolder ?? "/root/.config/lunara") + "/lunara.env"
  }

  /// The path of the file with the household's keys, which may be missing: by default `household.key` in the folder of
  /// `lunara.env`; if that cannot be read, systemd's credential `lunara.household-key`.
  public var keyFile: String {
    if let file = self["LUNARA_KEY_FILE"] { return file }
    let usual = (file.lastIndex(of: "/").map { String(file[...$0]) } ?? "") + "household.key"
    guard access(usual, R_OK) != 0, let credential = credential("household-key") else { return usual }
    return credential
  }

  /// The name of a node that every machine may have one of: that of the room if there are other machines, else `main`.
  public var nameOnThisMachine: String { seeds.isEmpty && !discovers ? "main" : room.rawValue }

  /// The address at which this node listens for other machines; nil if it is not set.
  public var listen: String? { self["LUNARA_LISTEN"] }

  /// The address by which others reach this machine, if it differs from the one it listens on.
  public var advertise: String? { self["LUNARA_ADVERTISE"] }

  /// The addresses or names of other machines of the household.
  public var seeds: [String] {
    (self["LUNARA_SEEDS"] ?? "").split(separator: ",").map { $0.split(separator: " ").joined(separator: " ") }
      .filter { !$0.isEmpty }
  }

  /// True if machines of the household are searched for, and this one is announced to them.
  public var discovers: Bool { isOn("LUNARA_DISCOVER") }

  /// True if the name should be taken over from another machine that has it.
  public var takesOver: Bool { isOn("LUNARA_TAKE_OVER") }

  private func isOn(_ name: String) -> Bool { Self.isOn(self[name]) }

  /// Returns true if the value of a flag means on.
  public static func isOn(_ value: String?) -> Bool {
    ["1", "true", "yes", "on"].contains((value ?? "").lowercased())
  }

  /// Returns the settings by which this machine's nodes reach those of other machines.
  ///
  /// - Parameters:
  ///   - identity: the random id of this machine.
  ///   - formerIdentities: the ids of machines whose data was restored here.
  /// - Throws: `bus.badKeyFile`, `bus.unsafeKeyFile`; `bus.noKeyFile` if a key file was named and is missing.
  public func network(identity: String, formerIdentities: [String] = []) throws -> Network {
    var keys: KeyRing?
    // The default file may be missing; a file that was named has to exist.
    if self["LUNARA_KEY_FILE"] != nil || access(keyFile, F_OK) == 0 { keys = try KeyRing(file: keyFile) }
    return Network(
      listen: listen, advertise: advertise, seeds: seeds, keys: keys, folder: "\(home)/bus", identity: identity,
      formerIdentities: formerIdentities, takesOver: takesOver, finder: discovers ? AvahiFinder() : nil)
  }

  /// True if the service accepts the messages of a replay in place of those of the household.
  public var isUnderTest: Bool { isOn("LUNARA_UNDER_TEST") }

  /// True if other processes of the same user may read the memory of the services, as debuggers and profilers do.
  public var isDebuggable: Bool { isOn(Self.debuggable) }

  /// The room of a playback node.
  public var room: RoomName {
    if let room = self["LUNARA_ROOM"] { return RoomName(from: room) }
    var name = [CChar](repeating: 0, count: 256)
    guard gethostname(&name, name.count - 1) == 0 else { return RoomName(from: "") }
    let host = String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return RoomName(from: String(host.prefix { $0 != "." }))
  }

  /// The title of the room, as the settings write its name; nil if the name says as much.
  public var roomTitle: String? {
    let room = room
    let further = (self["LUNARA_ROOMS"] ?? "").split(whereSeparator: \.isWhitespace).map { word in
      String(word.prefix { $0 != "=" })
    }
    return ([self["LUNARA_ROOM"]].compactMap(\.self) + further).lazy
      .filter { RoomName(from: $0) == room }.compactMap { room.title(from: $0) }.first
  }

  /// The music folders.
  public var music: [LocalPath] {
    (self["LUNARA_MUSIC"] ?? "").split(separator: ":").map { LocalPath(String($0)) }
  }

  /// The rooms of this machine besides that of `LUNARA_ROOM`, each with its output; nil for that of `LUNARA_AUDIO`.
  public var furtherRooms: [(name: RoomName, output: String?)] {
    (self["LUNARA_ROOMS"] ?? "").split(whereSeparator: \.isWhitespace).compactMap {
      word -> (name: RoomName, output: String?)? in
      let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      guard !parts[0].isEmpty else { return nil }
      return (RoomName(from: parts[0]), parts.count == 2 && !parts[1].isEmpty ? parts[1] : nil)
    }
  }

  /// The output of a playback node.
  public var audio: String {
    let room = room
    return furtherRooms.first { $0.name == room }?.output ?? self["LUNARA_AUDIO"] ?? "auto"
  }

  /// The address of the page, `host:port`.
  public var web: String { self["LUNARA_WEB"] ?? "127.0.0.1:8787" }

  /// The host and port at which `lunara-media` serves other hosts; nil if not set.
  ///
  /// - Throws: `settings.badAddress`.
  public var media: (host: String, port: UInt16)? {
    get throws { try self["LUNARA_MEDIA"].map { try Self.address($0, of: "LUNARA_MEDIA") } }
  }

  /// The largest number of bytes of disk for reduced pictures.
  ///
  /// - Throws: `settings.badNumber`.
  public var artSpace: Int64 {
    get throws { min(try number("LUNARA_ART_SPACE") ?? 250, 1 << 40) << 20 }
  }

  /// The pause between two looks for changes in music folders whose changes the kernel does not report.
  ///
  /// - Throws: `settings.badNumber`.
  public var sharesEvery: Duration {
    get throws { .seconds(min(try number("LUNARA_SHARES_EVERY") ?? 300, 86_400)) }
  }

  /// The rules by which a journal keeps its facts.
  ///
  /// - Throws: `settings.badNumber`.
  public var retention: Retention {
    get throws {
      let usual = Retention()
      return Retention(
        facts: try number("LUNARA_JOURNAL_FACTS") ?? usual.facts, days: try number("LUNARA_JOURNAL_DAYS") ?? 180)
    }
  }

  private func number(_ name: String) throws -> Int64? {
    guard let text = self[name] else { return nil }
    guard let number = Int64(text), number > 0 else {
      throw LunaraError("settings.badNumber", "\(name) is \(text). Write a whole number above 0.")
    }
    return number
  }

  /// Reads `host:port`, `[v6]:port` or a port, which means 127.0.0.1.
  ///
  /// - Throws: `settings.badAddress`.
  public static func address(_ text: String, of name: String) throws -> (host: String, port: UInt16) {
    if let port = UInt16(text) { return ("127.0.0.1", port) }
    if let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]) {
      var host = String(text[..<colon])
      if host.hasPrefix("["), host.hasSuffix("]") { host = String(host.dropFirst().dropLast()) }
      if !host.isEmpty { return (host, port) }
    }
    throw LunaraError(
      "settings.badAddress", "\(name) is \(text), which is no address. Write host:port, such as 127.0.0.1:8787.")
  }
}

/// Settings that are probably mistakes.
extension Settings {
  /// The given names that no setting has, sorted; without those that a supervisor sets for its children.
  public var unknownNames: [String] {
    let known = Set(Self.known.map(\.name) + ["LUNARA_PARENT_FD", "LUNARA_READY_FD"])
    return values.keys.filter { $0.hasPrefix("LUNARA_") && !known.contains($0) }.sorted()
  }

  /// The settings whose values have a path that begins with `~`, which only shells replace by the home folder.
  public var namesWithTilde: [String] {
    Self.known.map(\.name).filter { name in
      (values[name] ?? "").split(separator: ":").contains { $0 == "~" || $0.hasPrefix("~/") }
    }
  }
}
