import Bus
import Messages
import Model
import Storage

/// How an account stands, as it is kept over a restart.
struct Standing: Hashable, Sendable {
  /// Why it stands still until a person does something; nil where it does not.
  var pause: Pause?
  /// What the service said last, where it was no good.
  var problem: String?
  /// Until when the service is left alone, on the wall clock.
  var notBefore = Timestamp(microseconds: 0)

  /// Reads it; nil for an account that is no more.
  static func read(of account: Int64, _ transaction: ReadTransaction) throws -> Standing? {
    try transaction.row("SELECT pause, problem, not_before FROM accounts WHERE id = ?", account) { row in
      let pause: String? = try row.value(0)
      return Standing(
        pause: pause.flatMap { Pause(rawValue: $0) }, problem: try row.value(1), notBefore: try row.value(2))
    }
  }

  /// How long the account is still to wait by a clock that may have been set meanwhile.
  func wait(at now: Timestamp) -> Duration {
    guard notBefore > now else { return .zero }
    return min(.microseconds(notBefore.microseconds &- now.microseconds), DeliveryPlan.longest)
  }

  /// What a person is told where the account stands still.
  ///
  /// - Parameter address: its server's, where that is another than the service's own.
  func error(service: String, account: String, address: String?, isFromSettings: Bool) -> LunaraError? {
    switch pause {
    case nil: return nil
    case .signedOut:
      let how =
        isFromSettings
        ? "Set LUNARA_LISTENBRAINZ_TOKEN to a valid token and start Lunara again"
        : "Sign in again with `lunara login \(service)\(address.map { " --url \($0)" } ?? "")`"
      return LunaraError(
        "scrobble.signedOut",
        "\(service) no longer takes the sign-in of \(account). \(how); what was heard meanwhile is kept and sent then.",
        cause: problem)
    case .refused:
      return LunaraError(
        "scrobble.refused",
        "\(service) refuses what \(account) is sent. What was heard is kept; see the cause, then `lunara scrobbles retry`.",
        cause: problem)
    }
  }
}

extension Outbox {
  /// Service and name of an account.
  static func names(of account: Int64, _ transaction: ReadTransaction) throws -> (service: String, name: String) {
    try transaction.row("SELECT service, name FROM accounts WHERE id = ?", account) {
      (try $0.value(0), try $0.value(1))
    } ?? ("", "")
  }

  /// Writes how an account stands, and tells where it begins or ceases to stand still.
  static func write(
    _ standing: Standing, of account: Int64, _ service: String, _ name: String, _ journal: Journal,
    _ transaction: Transaction
  ) throws {
    guard let before = try Standing.read(of: account, transaction), before != standing else { return }
    try transaction.execute(
      "UPDATE accounts SET pause = ?, problem = ?, not_before = ? WHERE id = ?", standing.pause?.rawValue,
      standing.problem, standing.notBefore, account)
    guard before.pause != standing.pause else { return }
    let row = try Accounts.all(transaction).first { $0.id == account }
    try journal.append(
      Scrobble.AccountPaused(service: service, account: name, error: row?.pauseError(standing)), in: transaction)
  }
}
