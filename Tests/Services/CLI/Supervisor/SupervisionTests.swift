import Model
import Testing

@testable import lunara

/// The decisions of the supervisor.
struct SupervisionTests {
  private let library = ServiceProgram.all[0]
  private let web = ServiceProgram.all[5]

  @Test func allAreStartedAndReadinessIsToldOnce() {
    var supervision = Supervision(services: [library, web])
    #expect(supervision.handle(.began, at: Milliseconds(100)) == [.start(library), .start(web)])
    #expect(supervision.handle(.ready(web), at: Milliseconds(300)) == [])
    #expect(supervision.handle(.ready(library), at: Milliseconds(912)) == [.announceReady(Milliseconds(812))])
    #expect(supervision.handle(.ready(library), at: Milliseconds(950)) == [])
    #expect(supervision.deadline == nil)
  }

  @Test func aCrashedServiceIsStartedAtOnceThenWithBackoff() {
    var supervision = ready()
    let killed = Ending.killed(9)
    #expect(
      supervision.handle(.ended(library, killed), at: Milliseconds(5000))
        == [.report(.restarting(library, killed, after: .zero)), .start(library)])
    #expect(
      supervision.handle(.ready(library), at: Milliseconds(5200))
        == [.report(.back(library, after: Milliseconds(200)))])
    #expect(
      supervision.handle(.ended(library, killed), at: Milliseconds(6000))
        == [.report(.restarting(library, killed, after: Milliseconds(1000)))])
    #expect(supervision.deadline == Milliseconds(7000))
    #expect(supervision.handle(.timePassed, at: Milliseconds(6999)) == [])
    #expect(supervision.handle(.timePassed, at: Milliseconds(7000)) == [.start(library)])
  }

  @Test func aServiceThatWasNeverReadyIsStillAtItsFirstStart() {
    var supervision = Supervision(services: [library, web])
    _ = supervision.handle(.began, at: .zero)
    _ = supervision.handle(.ended(library, .killed(9)), at: Milliseconds(50))
    #expect(!supervision.hasBeenReady(library))
    _ = supervision.handle(.ready(library), at: Milliseconds(90))
    _ = supervision.handle(.ended(library, .killed(9)), at: Milliseconds(99))
    #expect(supervision.hasBeenReady(library) && !supervision.hasBeenReady(web))
  }

  @Test func aServiceThatEndsByItselfIsStartedAgainToo() {
    var supervision = ready()
    #expect(supervision.handle(.ended(web, .exited(0)), at: Milliseconds(50)).contains(.start(web)))
  }

  @Test func aStopAsksAllAndFinishesWhenTheLastIsGone() {
    var supervision = ready()
    #expect(
      supervision.handle(.stopRequested, at: Milliseconds(1000)) == [
        .report(.stopping), .terminate(library), .terminate(web),
      ])
    #expect(supervision.handle(.ended(web, .exited(0)), at: Milliseconds(1100)) == [])
    #expect(supervision.handle(.ended(library, .killed(15)), at: Milliseconds(1200)) == [.finish(.done)])
  }

  @Test func aServiceThatDoesNotStopIsKilledBeforeTwoSeconds() {
    var supervision = ready()
    _ = supervision.handle(.stopRequested, at: Milliseconds(1000))
    _ = supervision.handle(.ended(web, .exited(0)), at: Milliseconds(1100))
    let deadline = supervision.deadline ?? .zero
    #expect(deadline < Milliseconds(3000) && deadline > Milliseconds(2500))
    #expect(supervision.handle(.timePassed, at: deadline) == [.report(.killing([library])), .kill(library)])
    #expect(supervision.handle(.ended(library, .killed(9)), at: Milliseconds(2900)) == [.finish(.done)])
  }

  @Test func aKilledServiceThatWaitsForADiskIsNotWaitedFor() throws {
    var supervision = ready()
    _ = supervision.handle(.stopRequested, at: Milliseconds(1000))
    _ = supervision.handle(.ended(web, .exited(0)), at: Milliseconds(1100))
    _ = supervision.handle(.timePassed, at: try #require(supervision.deadline))
    let deadline = try #require(supervision.deadline)
    #expect(deadline < Milliseconds(6000))
    #expect(supervision.handle(.timePassed, at: deadline) == [.report(.leaving([library])), .finish(.failed)])
  }

  @Test func aSecondSignalStopsWithoutWaiting() {
    var supervision = ready()
    _ = supervision.handle(.stopRequested, at: Milliseconds(1000))
    #expect(
      supervision.handle(.stopRequested, at: Milliseconds(1001))
        == [.report(.killing([library, web])), .kill(library), .kill(web)])
  }

  @Test func aStopDuringABackoffStartsNothingAnyMore() {
    var supervision = ready()
    for time: Int64 in [10, 20] { _ = supervision.handle(.ended(library, .exited(1)), at: Milliseconds(time)) }
    #expect(supervision.handle(.stopRequested, at: Milliseconds(30)) == [.report(.stopping), .terminate(web)])
    #expect(supervision.handle(.timePassed, at: Milliseconds(5000)).contains(.kill(web)))
    #expect(supervision.handle(.ended(web, .killed(9)), at: Milliseconds(5001)) == [.finish(.done)])
  }

  @Test func withNothingRunningAStopFinishesAtOnce() {
    var supervision = Supervision(services: [library])
    _ = supervision.handle(.began, at: .zero)
    for time: Int64 in [10, 20] { _ = supervision.handle(.ended(library, .exited(127)), at: Milliseconds(time)) }
    #expect(supervision.handle(.stopRequested, at: Milliseconds(30)) == [.finish(.done)])
  }

  @Test func aSlowStartIsToldOnceWithTheNames() {
    var supervision = Supervision(services: [library, web])
    _ = supervision.handle(.began, at: .zero)
    _ = supervision.handle(.ready(web), at: Milliseconds(10))
    #expect(supervision.deadline == Milliseconds(10_000))
    #expect(supervision.handle(.timePassed, at: Milliseconds(10_000)) == [.report(.slow([library]))])
    #expect(supervision.deadline == nil)
  }

  @Test func theServicesWaitForThePreparation() {
    var supervision = Supervision(services: [library], preparation: .demo)
    #expect(supervision.handle(.began, at: .zero) == [.start(.demo)])
    #expect(supervision.handle(.ended(.demo, .exited(0)), at: Milliseconds(9000)) == [.start(library)])
    #expect(supervision.handle(.ready(library), at: Milliseconds(9400)) == [.announceReady(Milliseconds(400))])
  }

  @Test func aFailedPreparationEndsTheHousehold() {
    var supervision = Supervision(services: [library], preparation: .demo)
    _ = supervision.handle(.began, at: .zero)
    #expect(
      supervision.handle(.ended(.demo, .exited(1)), at: Milliseconds(10))
        == [.report(.notPrepared(.exited(1))), .finish(.failed)])
  }

  @Test func aStopDuringThePreparationEndsItAndNoMore() {
    var supervision = Supervision(services: [library], preparation: .demo)
    _ = supervision.handle(.began, at: .zero)
    #expect(supervision.handle(.stopRequested, at: Milliseconds(10)) == [.report(.stopping), .terminate(.demo)])
    #expect(supervision.handle(.ended(.demo, .killed(15)), at: Milliseconds(20)) == [.finish(.done)])
  }

  private func ready() -> Supervision {
    var supervision = Supervision(services: [library, web])
    _ = supervision.handle(.began, at: .zero)
    _ = supervision.handle(.ready(library), at: Milliseconds(1))
    _ = supervision.handle(.ready(web), at: Milliseconds(2))
    return supervision
  }
}
