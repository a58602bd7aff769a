/// Checks the password that clients have to send. All clients together have one wrong try in half a second.
actor Access {
  /// The password; nil if none is needed.
  nonisolated let password: String?
  private let pause: Duration
  private var nextTry = ContinuousClock.now

  /// Creates the check; `pause` is the time after a wrong password in which no other is looked at.
  init(password: String?, pause: Duration = .milliseconds(500)) {
    self.password = password
    self.pause = pause
  }

  /// Returns true for the right password, after the pause that follows wrong ones.
  func accepts(_ text: String) async throws -> Bool {
    while nextTry > .now { try await Task.sleep(until: nextTry) }
    guard let password, Self.isEqual(Array(password.utf8), Array(text.utf8)) else {
      nextTry = .now + pause
      return false
    }
    return true
  }

  /// Compares in a time that does not depend on where the first difference is.
  private static func isEqual(_ wanted: [UInt8], _ given: [UInt8]) -> Bool {
    var difference = wanted.count ^ given.count
    for index in wanted.indices { difference |= Int(wanted[index] ^ (index < given.count ? given[index] : 0)) }
    return difference == 0
  }
}
