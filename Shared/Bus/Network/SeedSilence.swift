import Model

/// Notices that none of the seeds ever answers, which a person has to hear of: a host with another key is told nothing by
/// the others.
struct SeedSilence {
  /// How long a node waits before it complains.
  static let patience = Duration.seconds(10)

  private let startedAt: ContinuousClock.Instant
  private var address: String?
  private var isSettled = false

  init(at now: ContinuousClock.Instant) { startedAt = now }

  /// A knock was taken by whoever is at an address, and not answered.
  mutating func unanswered(at address: String) { self.address = address }

  /// What is to be reported, once.
  ///
  /// - Parameters:
  ///   - isAnswered: whether anybody elsewhere has answered.
  ///   - seeds: where the node has knocked.
  mutating func complaint(isAnswered: Bool, seeds: [String], at now: ContinuousClock.Instant) -> LunaraError? {
    guard !isSettled, isAnswered || now - startedAt >= Self.patience else { return nil }
    isSettled = true
    guard !isAnswered, !seeds.isEmpty else { return nil }
    let names = seeds.joined(separator: ", ")
    return LunaraError(
      "bus.seedsSilent",
      address.map {
        "\($0) takes the connection but does not answer. Do both machines have the same key? `lunara key show` prints its id on each."
      } ?? "None of LUNARA_SEEDS (\(names)) can be reached. Are they on, and is Lunara listening there?")
  }
}
