import System
import Glibc
import Model
import ServiceKit

/// The sound cards, the sound server and the setting of this machine's room.
struct SoundCheck: HealthCheck, Equatable {
  /// A sound server of the desktop.
  enum Server: Sendable, Equatable {
    case none
    /// It answers.
    case there(String)
    /// Its socket is there, and nobody answers.
    case dead(String)
  }

  /// True if a room plays on this machine.
  var hasRoom = true
  /// `LUNARA_AUDIO`.
  var setting = "auto"
  /// The names of the sound cards.
  var cards: [String] = []
  /// True if this user may use the sound cards.
  var mayUseCards = true
  var server = Server.none
  /// The errors that rooms of this machine report, and whether they play on.
  var rooms: [Room] = []

  /// A room that is not as it should be.
  struct Room: Sendable, Equatable {
    var name: String
    var error: LunaraError
    var goesOn: Bool
  }

  private static let joinGroup = "sudo usermod -aG audio $USER, then log in again."

  var findings: [Finding] {
    guard hasRoom else { return [] }
    var found = [output]
    for room in rooms {
      let error = LunaraError(room.error.code, "\(room.name): \(room.error.message)")
      found.append(room.goesOn ? .warning("sound", error) : .failure("sound", error))
    }
    return found
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
          "sound", "This user may not use the sound cards (\(cards.joined(separator: ", "))).", Self.joinGroup)
      }
      return .ok("sound", "Cards: \(cards.joined(separator: ", ")).")
    }
  }

  /// The names in `/proc/asound/cards`: of each card the line with its number, behind the brackets and the driver.
  static func cards(in text: String) -> [String] {
    text.split(separator: "\n").compactMap { line in
      guard line.contains("]: "), let dash = line.firstRange(of: " - ") else { return nil }
      return String(line[dash.upperBound...])
    }
  }

  /// Looks at the cards and for a server.
  static func gather(_ settings: Settings, _ environment: Environment) -> SoundCheck {
    var evidence = SoundCheck(setting: settings.audio)
    evidence.cards = cards(in: Files.text(of: "/proc/asound/cards") ?? "")
    evidence.mayUseCards = (0..<8).contains { access("/dev/snd/controlC\($0)", R_OK | W_OK) == 0 }
    let folder = environment["XDG_RUNTIME_DIR"] ?? "/run/user/\(geteuid())"
    for (socket, name) in [("pulse/native", "PulseAudio"), ("pipewire-0", "PipeWire")] {
      let path = "\(folder)/\(socket)"
      guard access(path, F_OK) == 0 else { continue }
      if isAnswered(path) {
        evidence.server = .there(access("\(folder)/pipewire-0", F_OK) == 0 ? "PipeWire" : name)
        break
      }
      evidence.server = .dead(name)
    }
    return evidence
  }

  private static func isAnswered(_ path: String) -> Bool {
    let number = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard number >= 0 else { return false }
    defer { close(number) }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let bytes = Array(path.utf8)
    guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else { return false }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
    return withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(number, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
      }
    }
  }
}
