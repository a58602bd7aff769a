import System
import Glibc
import Model
import ServiceKit

struct SoundCheck: HealthCheck, Equatable {
  enum Server: Sendable, Equatable {
    case none
    case there(String)
    case dead(String)
  }

  /// False if the household runs without a room on this machine: then the machine needs no sound.
  var hasRoom = true
  var setting = "auto"
  /// The outputs that rooms on this machine have open, by room.
  var used: [String: String] = [:]
  var cards: [String] = []
  var mayUseCards = true
  var server = Server.none
  /// The rooms that report an error, on any machine. `goesOn` is true if the room still works.
  var rooms: [Room] = []

  struct Room: Sendable, Equatable {
    var name: String
    var error: LunaraError
    var goesOn: Bool
  }

  var findings: [Finding] {
    if hasRoom { outputs }
    for room in rooms {
      let error = LunaraError(room.error.code, "\(room.name): \(room.error.message)")
      room.goesOn ? Finding.warning("sound", error) : Finding.failure("sound", error)
    }
  }

  /// The outputs that the rooms here have open; the machine is examined only if none is open. A room may have been
  /// started with another `LUNARA_AUDIO` than this command.
  private var outputs: [Finding] {
    guard !used.isEmpty else { return [output] }
    return used.sorted { $0.key < $1.key }.map { room, output in
      ["null", "pcm"].contains(output)
        ? .warning(
          "sound", "\(room) plays to the output \(output): nothing is heard.",
          "Take LUNARA_AUDIO out of lunara.env, or of the environment in which the room starts, then start it again.")
        : .ok("sound", "\(room) plays to \(output).")
    }
  }

  private var output: Finding {
    if setting == "null" || setting.hasPrefix("pcm:") {
      return .warning(
        "sound", "LUNARA_AUDIO is \(setting): nothing is heard.",
        "Take it out of lunara.env, then start the room again.")
    }
    switch server {
    case .there(let name):
      return .ok("sound", "\(name) answers\(cards.isEmpty ? "" : "; cards: \(cards.joined(separator: ", "))").")
    case .dead(let name) where cards.isEmpty || !mayUseCards:
      return .failure(
        "sound", "\(name) does not answer, though its socket is there.",
        "systemctl --user restart pipewire pipewire-pulse wireplumber, or pulseaudio --start.")
    case .dead, .none:
      guard !cards.isEmpty else {
        return .failure(
          "sound", "There is no sound card, and no sound server runs for this user.",
          "Plug one in, or log in at a desktop with PipeWire or PulseAudio. To run without sound: LUNARA_AUDIO=null.")
      }
      guard mayUseCards else {
        return .failure(
          "sound", "This user may not use the sound cards (\(cards.joined(separator: ", "))).",
          "sudo usermod -aG audio $USER, then log in again.")
      }
      return .ok("sound", "Cards: \(cards.joined(separator: ", ")).")
    }
  }

  /// Returns the names in `/proc/asound/cards`: the text after ` - ` in each line that begins with a card's number.
  static func cards(in text: String) -> [String] {
    text.split(separator: "\n").compactMap { line in
      guard line.contains("]: "), let dash = line.firstRange(of: " - ") else { return nil }
      return String(line[dash.upperBound...])
    }
  }

  static func observe(_ settings: Settings, _ environment: Environment) -> SoundCheck {
    var check = SoundCheck(setting: settings.audio)
    check.cards = cards(in: Files.text(of: "/proc/asound/cards") ?? "")
    check.mayUseCards = (0..<8).contains { access("/dev/snd/controlC\($0)", R_OK | W_OK) == 0 }
    let folder = environment["XDG_RUNTIME_DIR"] ?? "/run/user/\(geteuid())"
    for (socket, name) in [("pulse/native", "PulseAudio"), ("pipewire-0", "PipeWire")] {
      let path = "\(folder)/\(socket)"
      guard access(path, F_OK) == 0 else { continue }
      if isAnswered(path) {
        check.server = .there(access("\(folder)/pipewire-0", F_OK) == 0 ? "PipeWire" : name)
        break
      }
      check.server = .dead(name)
    }
    return check
  }

  private static func isAnswered(_ path: String) -> Bool {
    SocketAddress(file: path).map { NetworkSocket.connect(to: $0, within: Milliseconds(500)) != nil } ?? false
  }
}
