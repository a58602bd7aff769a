import HTTP
import Messages
import Model
import System

/// Fetches covers at public addresses, which come with descriptions of tracks. Strangers choose these addresses, so
/// servers in a private network are refused, and the page of the household is all that a browser asks.
actor PublicCovers {
  /// The most bytes of a cover.
  private static let byteLimit = 8 << 20
  private static let time = Duration.seconds(10)
  /// The time after which a cover that could not be fetched is asked for again.
  private static let pause = Milliseconds(600_000)
  /// The most failures that are remembered.
  private static let failureLimit = 1000

  private let http: HTTPClient
  /// The base address of a server that a person named in the settings, which may be in this house.
  private let trusted: HTTPBaseAddress?
  private let now: @Sendable () -> Milliseconds
  private var failures: [String: (error: LunaraError, at: Milliseconds)] = [:]

  init(
    http: HTTPClient, trusted: String? = nil,
    now: @escaping @Sendable () -> Milliseconds = { MonotonicClock.milliseconds() }
  ) {
    self.http = http
    self.now = now
    self.trusted = trusted.flatMap { HTTPBaseAddress($0) }
  }

  /// Returns the picture at an address.
  ///
  /// - Throws: `library.coverAway`.
  func picture(at address: String) async throws -> [UInt8] {
    if let known = failures[address], known.at + Self.pause > now() { throw known.error }
    do {
      let picture = try await fetch(address)
      failures[address] = nil
      return picture
    } catch let error as CancellationError {
      throw error
    } catch {
      let error = LunaraError(error)
      if failures.count >= Self.failureLimit { failures = [:] }
      failures[address] = (error, now())
      throw error
    }
  }

  private func fetch(_ address: String) async throws -> [UInt8] {
    let isTrusted = trusted.map { Self.isCover(address, at: $0.base) } ?? false
    guard let origin = Origin(address), origin.scheme == "https" || isTrusted, address.utf8.count <= 2000,
      address.utf8.allSatisfy({ $0 > 32 && $0 < 127 })
    else {
      throw LunaraError("library.coverAway", "A cover is fetched from an address that begins with https:// only.")
    }
    let response: HTTPResponse
    do {
      response = try await http.send(
        HTTPRequest(
          .reads, url: address, timeout: Self.time, responseLimit: Self.byteLimit, redirectLimit: 3,
          refusesPrivateAddresses: !isTrusted,
          mayRedirect: {
            $0 == origin ? isTrusted || $0.scheme == "https" : $0.scheme == "https" && !(isTrusted && $0.isPrivate)
          }))
    } catch let error as LunaraError {
      throw LunaraError("library.coverAway", "A cover at \(origin.host) cannot be fetched.", cause: error.message)
    }
    guard response.status == 200 else {
      throw LunaraError(
        "library.coverAway", "A cover at \(origin.host) cannot be fetched.", cause: "HTTP \(response.status)")
    }
    return response.body
  }

  /// True for an address of the form that the discovery service makes, at the server of covers that a person named.
  private static func isCover(_ address: String, at base: String) -> Bool {
    let (head, tail) = ("\(base)/release-group/", "/front-500")
    guard address.hasPrefix(head), address.hasSuffix(tail),
      address.utf8.count == head.utf8.count + 36 + tail.utf8.count
    else { return false }
    return address.dropFirst(head.count).prefix(36).allSatisfy { $0.isHexDigit || $0 == "-" }
  }
}
