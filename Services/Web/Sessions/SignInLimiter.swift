import Glibc

/// How often a password may be tried: by one address, and by all together. Pure.
struct SignInLimiter {
  /// How many tries an address has at once, and how long one takes to come back.
  static let tries = 5
  static let pause = Duration.seconds(20)
  /// The same for all together: with many addresses a password is guessed no faster.
  static let triesOfAll = 30
  static let pauseOfAll = Duration.seconds(4)
  /// How many addresses are remembered.
  static let addresses = 1024

  private struct Allowance {
    var used: Duration
    var at: ContinuousClock.Instant

    /// What is used up still.
    func used(at now: ContinuousClock.Instant) -> Duration { max(.zero, used - (now - at)) }
  }

  private var all: Allowance?
  private var each: [String: Allowance] = [:]

  /// Takes a try; gives how long to wait where there is none left.
  mutating func take(_ address: String, now: ContinuousClock.Instant) -> Duration? {
    let key = Self.network(of: address)
    let used = each[key]?.used(at: now) ?? .zero
    let usedByAll = all?.used(at: now) ?? .zero
    if let wait = Self.wait(used, Self.pause, Self.tries) { return wait }
    if let wait = Self.wait(usedByAll, Self.pauseOfAll, Self.triesOfAll) { return wait }
    if each.count >= Self.addresses, each[key] == nil { each = each.filter { $0.value.used(at: now) > .zero } }
    // Where so many are at it, the limit for all holds them.
    if each.count < Self.addresses || each[key] != nil { each[key] = Allowance(used: used + Self.pause, at: now) }
    all = Allowance(used: usedByAll + Self.pauseOfAll, at: now)
    return nil
  }

  /// Gives an address its tries back: it knew the password.
  mutating func forgive(_ address: String) { each[Self.network(of: address)] = nil }

  private static func wait(_ used: Duration, _ pause: Duration, _ tries: Int) -> Duration? {
    let most = pause * tries
    return used + pause > most ? used + pause - most : nil
  }

  /// An IPv6 address stands for its network of 64 bits, of which one household has at least one.
  private static func network(of address: String) -> String {
    var storage = in6_addr()
    guard address.contains(":"), inet_pton(AF_INET6, address, &storage) == 1 else { return address }
    return withUnsafeBytes(of: &storage) { $0.prefix(8).map { String($0, radix: 16) }.joined(separator: ":") }
  }
}
