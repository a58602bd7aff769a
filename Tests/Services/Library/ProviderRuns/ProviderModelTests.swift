import Glibc
import Messages
import Model
import Sync
import Synchronization
import TestSupport
import Testing

@testable import ProviderRuns

/// Random edits on both sides of a provider in memory, with calls that fail or whose answers are lost.
///
/// `LUNARA_PROVIDER_SEEDS` says how many seeds are run. The tests of `Sync` run many more without a database.
@Suite(.timeLimit(.minutes(10)))
struct ProviderModelTests {
  private static let seeds = getenv("LUNARA_PROVIDER_SEEDS").flatMap { UInt64(String(cString: $0)) } ?? 20

  /// The edits of persons to one track of one list.
  private struct Account {
    var title: String
    var isRemoved = false
  }

  @Test func nothingIsLostOrDoubledAndBothSidesAreEqual() async throws {
    for seed in 1...Self.seeds { try await run(seed) }
  }

  private func run(_ seed: UInt64) async throws {
    let house = try await ProviderHouse([.playlists: .both, .liked: .both])
    let random = Mutex(Seeded(seed))
    func below(_ limit: Int) -> Int { random.withLock { Int($0.next() % UInt64(max(1, limit))) } }
    house.provider.make("L1", "Theirs", ["start1", "start2"])
    house.provider.set(FakeProvider.liked, ["liked1"])
    try await house.make("Ours", ["own1", "own2"])
    var accounts: [String: [Account]] = [
      "Theirs": [.init(title: "start1"), .init(title: "start2")], "Liked on Fake": [.init(title: "liked1")],
      "Ours": [.init(title: "own1"), .init(title: "own2")],
    ]
    let natives = ["Theirs": "L1", "Liked on Fake": "liked", "Ours": "made1"]
    let titles = natives.keys.sorted()
    let dice = Mutex(Seeded(seed &+ 1000))
    let isFailing = Mutex(true)
    house.provider.decide { _ in
      guard isFailing.withLock({ $0 }) else { return .answered }
      return switch dice.withLock({ $0.next() % 12 }) {
      case 0: .lostBefore
      case 1: .lostAfter
      default: .answered
      }
    }
    for step in 0..<25 {
      let list = titles[below(titles.count)]
      let isHere = try await house.playlists().contains { $0.title == list }
      let native = natives[list] ?? ""
      let isThere = house.provider.titles(of: native) != nil
      switch below(10) {
      case 0..<2 where isHere:
        try await house.add(["here\(step)"], to: list)
        accounts[list]?.append(.init(title: "here\(step)"))
      case 2..<4 where isThere:
        house.provider.set(native, (house.provider.titles(of: native) ?? []) + ["there\(step)"])
        accounts[list]?.append(.init(title: "there\(step)"))
      case 4 where isHere:
        let present = try await house.titles(list)
        guard let title = present.isEmpty ? nil : present[below(present.count)] else { continue }
        try await house.remove([title], from: list)
        remove(title, &accounts[list])
      case 5 where isThere:
        let present = house.provider.titles(of: native) ?? []
        guard let title = present.isEmpty ? nil : present[below(present.count)] else { continue }
        house.provider.set(native, present.filter { $0 != title })
        remove(title, &accounts[list])
      default: try await house.run()
      }
    }
    isFailing.withLock { $0 = false }
    for _ in 0..<4 { try await house.run() }
    for question in try await house.reports().questions {
      _ = try await house.requests.answer(.init(name: "fake", question: question.id, removes: true))
    }
    for _ in 0..<3 { try await house.run() }
    #expect(house.provider.edit { $0.lists.values.count { $0.info.title == "Ours" } } == 1, "seed \(seed)")
    for list in titles {
      let here = try await house.titles(list)
      #expect(Set(here).count == here.count, "seed \(seed), \(list): doubled in \(here)")
      let theirs = house.provider.titles(of: natives[list] ?? "") ?? []
      let (left, right) = list == "Liked on Fake" ? (here.sorted(), theirs.sorted()) : (here, theirs)
      #expect(left == right, "seed \(seed), \(list)")
      for account in accounts[list] ?? [] where !account.isRemoved {
        #expect(here.contains(account.title), "seed \(seed), \(list): \(account.title) is lost")
      }
    }
  }

  private func remove(_ title: String, _ accounts: inout [Account]?) {
    guard let index = accounts?.firstIndex(where: { $0.title == title }) else { return }
    accounts?[index].isRemoved = true
  }
}
