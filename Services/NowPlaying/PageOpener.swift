import CPlatform
import Glibc

/// Opens the page in the person's browser, by the desktop's own `xdg-open`.
struct PageOpener: Sendable {
  /// The address of the page.
  let address: String
  /// The program that opens addresses.
  let program: String
  /// `NAME=value`, as the program is to have it: which desktop and which bus.
  let environment: [String]

  /// Finds the program in the folders of `PATH`; nil where it is not installed.
  init?(address: String, path: String, environment: [String], name: String = "xdg-open") {
    let candidates = path.split(separator: ":").map { "\($0)/\(name)" }
    guard let program = candidates.first(where: { access($0, X_OK) == 0 }) else { return nil }
    (self.address, self.program, self.environment) = (address, program, environment)
  }

  /// The address at which a page that is served at `web` is opened on the same machine: one that listens everywhere is
  /// nearest on the loopback.
  static func address(host: String, port: UInt16, isEncrypted: Bool = false) -> String {
    let host = ["*", "0.0.0.0", "::", "localhost"].contains(host) ? "127.0.0.1" : host
    return "http\(isEncrypted ? "s" : "")://\(host.contains(":") ? "[\(host)]" : host):\(port)/"
  }

  /// Starts the program and does not wait for it: a shell in between makes it nobody's child. False where the system
  /// starts nothing.
  func open() -> Bool {
    let words = ["/bin/sh", "-c", "\"$0\" \"$1\" </dev/null >/dev/null 2>&1 &", program, address]
    var arguments = words.map { strdup($0) } + [nil]
    var variables = environment.map { strdup($0) } + [nil]
    defer { for pointer in arguments + variables { free(pointer) } }
    var pid: pid_t = 0
    var ending: Int32 = 0
    guard lunara_spawn(&pid, words[0], &arguments, &variables, [], 0) == 0 else { return false }
    return lunara_reap(pid, 1, &ending) == 1 && ending == 0
  }
}
