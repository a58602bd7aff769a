import Client
import Glibc
import HTTP
import Model
import System

/// Refuses requests that other web sites make through a person's browser. A foreign page must neither read the
/// household, by a host name that it points at this address ("DNS rebinding"), nor control it, by requests from its own
/// origin.
struct RequestGuard: Sendable {
  private let names: Set<String>
  private let acceptsAddresses: Bool

  /// Creates a guard.
  ///
  /// - Parameters:
  ///   - address: the address on which the server listens. If it is not loopback, every numeric address is accepted as
  ///     a host, as DNS rebinding needs a name.
  ///   - names: further names by which browsers may reach the page.
  init(address: String, names: [String] = []) {
    self.names = Set((names + [address, "localhost"]).map(Self.canonical)).subtracting([""])
    acceptsAddresses = !Loopback.isHost(Self.canonical(address))
  }

  /// Returns the error for a request that is refused; nil if the request is allowed.
  ///
  /// - Parameters:
  ///   - isCommand: true if the request changes something.
  ///   - isInterface: true if the request is for an endpoint, not for a file of the page. Another site cannot read the
  ///     answer to a request that it makes a browser send, but could send so many that the server has no time for
  ///     others.
  ///   - hasBody: true if the request has a body, which must be JSON.
  ///   - header: looks up a header of the request.
  func refusal(
    isCommand: Bool, isInterface: Bool = false, hasBody: Bool = true, header: (String) -> String?
  ) -> LunaraError? {
    guard let host = header("Host"), isOwn(Self.canonical(Self.withoutPort(host))) else {
      return LunaraError(
        "web.hostRefused",
        "This page is not served under the name \(header("Host") ?? "(none)"). Use http://localhost, or add the name to LUNARA_WEB_NAMES."
      )
    }
    let site = header("Sec-Fetch-Site")
    let isOwnSite = site == nil || site == "same-origin" || site == "none"
    guard isCommand else {
      // A link on another site may open this page.
      let isVisit = header("Sec-Fetch-Mode") == "navigate" && header("Sec-Fetch-Dest") == "document"
      guard isInterface, !isOwnSite, !isVisit else { return nil }
      return LunaraError("web.crossOrigin", "Another web site tried to read the household. That is not allowed.")
    }
    guard isOwnSite, isOwn(origin: header("Origin"), host: host) else {
      return LunaraError("web.crossOrigin", "Another web site tried to control the music. That is not allowed.")
    }
    guard hasBody else { return nil }
    // A form of another site cannot send this type without a preflight request, which is never allowed.
    let type = header("Content-Type")?.split(separator: ";").first.map { $0.trimming(" \t").lowercased() }
    guard type == "application/json" else {
      return LunaraError("web.notJSON", "Send JSON, with Content-Type: application/json.")
    }
    return nil
  }

  private func isOwn(_ host: String) -> Bool {
    names.contains(host) || Loopback.isHost(host) || (acceptsAddresses && Self.isAddress(host))
  }

  private func isOwn(origin: String?, host: String) -> Bool {
    guard let origin = origin?.lowercased() else { return true }
    let host = host.lowercased()
    return origin == "http://\(host)" || origin == "https://\(host)"
  }

  private static func canonical(_ name: String) -> String {
    var name = name[...].trimming(" \t").lowercased()
    if name.hasSuffix(".") { name.removeLast() }
    if name.hasPrefix("["), name.hasSuffix("]") { name = String(name.dropFirst().dropLast()) }
    return name
  }

  private static func withoutPort(_ host: String) -> String {
    if let end = host.lastIndex(of: "]") { return String(host[...end]) }
    return host.lastIndex(of: ":").map { String(host[..<$0]) } ?? host
  }

  private static func isAddress(_ host: String) -> Bool {
    var storage = in6_addr()
    return inet_pton(AF_INET, host, &storage) == 1 || inet_pton(AF_INET6, host, &storage) == 1
  }
}

/// Numeric addresses of clients, in the one form in which they are compared.
enum ClientAddress {
  /// Returns an address in the form in which the server gives its clients' addresses (getnameinfo(3), with an
  /// IPv4-mapped IPv6 address as IPv4); nil for text that is not a numeric address.
  static func canonical(_ text: String) -> String? {
    var four = in_addr()
    var six = in6_addr()
    if inet_pton(AF_INET, text, &four) == 1 { return text }
    guard inet_pton(AF_INET6, text, &six) == 1 else { return nil }
    var bytes = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
    guard inet_ntop(AF_INET6, &six, &bytes, socklen_t(bytes.count)) != nil else { return nil }
    let name = String(decoding: bytes.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return name.hasPrefix("::ffff:") && name.contains(".") ? String(name.dropFirst(7)) : name
  }

  /// Returns the last address in the lines of `X-Forwarded-For`, which is the client that the proxy itself saw: some
  /// proxies replace the header that a client sent, some add a line, some add to the line.
  static func forwarded(_ headers: [(String, String)]) -> String? {
    headers.last { $0.0.lowercased() == "x-forwarded-for" }
      .flatMap { $0.1.split(separator: ",", omittingEmptySubsequences: false).last }
      .flatMap { canonical($0.filter { $0 != " " && $0 != "\t" }) }
  }
}
