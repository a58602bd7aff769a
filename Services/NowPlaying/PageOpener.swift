import System

/// Opens the web page in the user's browser, with the desktop's `xdg-open`.
struct PageOpener: Sendable {
  let address: String
  let program: String
  /// The environment of the program, which contains the addresses of the desktop and its bus.
  let environment: Environment

  /// Searches the folders of `PATH` for the program; nil if it is not installed.
  init?(address: String, environment: Environment, name: String = "xdg-open") {
    guard let program = SystemProgram(name, environment: environment) else { return nil }
    self.address = address
    self.program = program.path
    self.environment = environment
  }

  /// Returns the page's address on this machine. A server that listens on all addresses is opened at 127.0.0.1.
  static func address(host: String, port: UInt16, isEncrypted: Bool = false) -> String {
    let host = ["*", "0.0.0.0", "::", "localhost"].contains(host) ? "127.0.0.1" : host
    return "http\(isEncrypted ? "s" : "")://\(host.contains(":") ? "[\(host)]" : host):\(port)/"
  }

  /// Starts the program through a shell that ends at once, so that the program is no child of this process and nothing
  /// has to wait for it. Returns false if it cannot be started.
  func open() -> Bool {
    do throws(Errno) {
      let null = try Descriptor.null()
      let shell = try ChildProcess(
        "/bin/sh", ["/bin/sh", "-c", "\"$0\" \"$1\" &", program, address], environment: environment,
        descriptors: [null, null, null])
      return shell.wait() == 0
    } catch {
      return false
    }
  }
}
