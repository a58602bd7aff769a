import CPlatform
import Glibc
import Model
import System
import Text

/// Waits for the address at which a person's browser ends after a sign-in: listens for the browser on this machine, and
/// reads lines that the person types or pastes meanwhile.
final class RedirectListener {
  /// The ways in which an address comes.
  enum Event {
    /// A browser on this machine asked for the path, and waits for a page.
    case opened(path: String, browser: Descriptor)
    /// A person typed a line.
    case typed(String)
    /// The time is over.
    case timeOver
    /// Standard input has ended, and no browser can come.
    case ended
  }

  /// The largest number of bytes of a browser's request.
  private static let requestLimit = 16 << 10
  /// The time within which a browser has to send its request.
  private static let requestTime = Duration.seconds(5)

  private let socket: Descriptor?
  private let input: Descriptor
  private var line: [UInt8] = []
  private var hasInput = true

  /// Listens at a port of this machine; where that is taken, only lines are read.
  init(port: UInt16, input: Int32 = 0) {
    socket = NetworkSocket.loopbackListener(port)
    self.input = Descriptor(owning: fcntl(input, F_DUPFD_CLOEXEC, 10))
  }

  /// True if a browser on this machine can connect.
  var listens: Bool { socket != nil }

  /// The port at which it listens; nil if it does not.
  var port: UInt16? { socket.map { NetworkSocket.port(of: $0) } }

  /// Waits for the next address. Checks every 200 ms if Ctrl-C has cancelled the task.
  func next(until end: ContinuousClock.Instant) async throws -> Event {
    while ContinuousClock.now < end {
      try Task.checkCancellation()
      if let text = typedLine() { return .typed(text) }
      guard hasInput || listens else { return .ended }
      var polled = [
        pollfd(fd: socket?.number ?? -1, events: Int16(POLLIN), revents: 0),
        pollfd(fd: hasInput ? input.number : -1, events: Int16(POLLIN), revents: 0),
      ]
      guard poll(&polled, 2, 200) > 0 else {
        await Task.yield()
        continue
      }
      if polled[0].revents != 0, let socket, let browser = NetworkSocket.accept(socket)?.socket,
        let path = try await Self.path(from: browser)
      {
        return .opened(path: path, browser: browser)
      }
      if polled[1].revents != 0 { readInput() }
    }
    return .timeOver
  }

  /// Reads what was typed.
  private func readInput() {
    switch input.read() {
    case .bytes(let more): line += more
    case .nothingYet: break
    case .end: hasInput = false
    }
    if line.count > Self.requestLimit { line = [] }
  }

  /// Returns the next typed line that is not empty; nil while there is none.
  private func typedLine() -> String? {
    while let end = line.firstIndex(of: UInt8(ascii: "\n")) ?? (hasInput || line.isEmpty ? nil : line.endIndex) {
      let text = String(decoding: line[..<end], as: UTF8.self).trimmed
      line = Array(line[min(end + 1, line.count)...])
      if !text.isEmpty { return text }
    }
    return nil
  }

  /// Reads the path of a browser's request; nil if it is none.
  private static func path(from browser: Descriptor) async throws -> String? {
    var bytes: [UInt8] = []
    let end = ContinuousClock.now + requestTime
    while !bytes.contains(UInt8(ascii: "\n")), bytes.count < requestLimit, ContinuousClock.now < end {
      try Task.checkCancellation()
      var polled = pollfd(fd: browser.number, events: Int16(POLLIN), revents: 0)
      guard poll(&polled, 1, 200) > 0 else {
        await Task.yield()
        continue
      }
      switch browser.read() {
      case .bytes(let more): bytes += more
      case .nothingYet: continue
      case .end: return nil
      }
    }
    let words = String(decoding: bytes.prefix { $0 != 10 && $0 != 13 }, as: UTF8.self).split(separator: " ")
    guard words.count == 3, words[0] == "GET", words[1].hasPrefix("/") else { return nil }
    return String(words[1])
  }

  /// Answers a browser with a small page.
  static func answer(_ browser: Descriptor, _ title: String, _ text: String, isGood: Bool) {
    func escaped(_ text: String) -> String {
      text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
    }
    let page = """
      <!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
      <title>\(escaped(title))</title>
      <body style="font: 1.1rem/1.5 system-ui, sans-serif; max-width: 32rem; margin: 15vh auto; padding: 0 1rem">
      <h1 style="font-size: 1.6rem">\(escaped(title))</h1><p>\(escaped(text))</p></body></html>
      """
    let head = [
      "HTTP/1.1 \(isGood ? "200 OK" : "400 Bad Request")", "Content-Type: text/html; charset=utf-8",
      "Content-Length: \(page.utf8.count)", "Cache-Control: no-store", "Referrer-Policy: no-referrer",
      "Content-Security-Policy: default-src 'none'; style-src 'unsafe-inline'", "Connection: close",
    ]
    NetworkSocket.send(Array((head.joined(separator: "\r\n") + "\r\n\r\n" + page).utf8), on: browser)
    shutdown(browser.number, Int32(SHUT_WR))
  }
}
