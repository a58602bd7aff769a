import ServiceKit
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct OutboxSenderTests {
  private struct Letter: OutboxItem, Hashable {
    var destination: String
    var number: Int
  }

  /// Sends letters, except to destinations that are away.
  private final class Post: OutboxSender {
    let loop = WorkLoop(sleep: { _ in try await Task.sleep(for: .seconds(3600)) })
    let log = Log.quiet
    let letters: Mutex<[Letter]>
    let away: Mutex<Set<String>>
    let tried = Mutex<[Letter]>([])

    init(_ letters: [Letter], away: Set<String> = []) {
      self.letters = Mutex(letters)
      self.away = Mutex(away)
    }

    func waiting() async throws -> [Letter] { letters.withLock { $0 } }

    func send(_ letter: Letter) async throws -> Bool {
      tried.withLock { $0.append(letter) }
      guard !away.withLock({ $0.contains(letter.destination) }) else { return false }
      letters.withLock { $0.removeAll { $0 == letter } }
      return true
    }

    func clear() { tried.withLock { $0 = [] } }
  }

  private let letters = [("a", 1), ("b", 2), ("a", 3), ("b", 4)].map { Letter(destination: $0.0, number: $0.1) }

  @Test func itemsAreSentInTheirOrder() async {
    let post = Post(letters)
    #expect(await post.sendAll())
    #expect(post.tried.withLock { $0 } == letters)
    #expect(await post.sendAll())
    #expect(post.tried.withLock { $0.count } == 4)
  }

  @Test func aDestinationThatIsAwayIsAskedOnceAndHoldsUpNoOther() async {
    let post = Post(letters, away: ["a"])
    #expect(await !post.sendAll())
    #expect(post.tried.withLock { $0.map(\.number) } == [1, 2, 4])
    post.clear()
    post.away.withLock { $0 = [] }
    #expect(await post.sendAll())
    #expect(post.tried.withLock { $0.map(\.number) } == [1, 3])
  }

  @Test func aPauseFollowsWhileSomethingIsLeftAndAWakeUpEndsIt() async {
    let post = Post(letters, away: ["b"])
    await post.start()
    #expect(await eventually(equals: 1) { await post.loop.failures })
    post.away.withLock { $0 = [] }
    await post.wake()
    #expect(await eventually { post.letters.withLock { $0.isEmpty } })
    #expect(await eventually(equals: 0) { await post.loop.failures })
    await post.stop()
  }
}
