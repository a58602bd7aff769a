import Messages
import Model
import Testing

@testable import Media

/// Starts and ends of the thumbnail worker, and which picture is blamed where it crashes.
struct WorkerPlanTests {
  private func job(_ id: Int) -> Artwork.Job {
    Artwork.Job(id: id, wants: [])
  }

  private func outcome(_ id: Int) -> Artwork.Outcome { Artwork.Outcome(id: id) }
  private let ended = WorkerPlan.Event.ended("it fell over")

  private func broken(_ id: Int, _ cause: String = "it fell over") -> Artwork.Outcome {
    Artwork.Outcome(id: id, failure: Artwork.badPicture(cause))
  }

  @Test func itStartsWithTheFirstJobAndEndsWhenNoMoreCome() {
    var plan = WorkerPlan(width: 2)
    #expect(plan.deadline == nil)
    #expect(plan.handle(.wanted(job(1), isUrgent: true), at: .zero) == [.start, .send(job(1))])
    #expect(plan.handle(.answered(outcome(1)), at: .seconds(1)) == [.answer(outcome(1))])
    #expect(plan.deadline == .seconds(11))
    #expect(plan.handle(.timePassed, at: .seconds(10)).isEmpty)
    #expect(plan.handle(.timePassed, at: .seconds(11)) == [.release])
    // A job that comes while the worker ends goes to the next worker.
    #expect(plan.handle(.wanted(job(2), isUrgent: true), at: .seconds(11)).isEmpty)
    #expect(plan.handle(ended, at: .seconds(12)) == [.start, .send(job(2))])
  }

  @Test func jobsRunUpToTheLimitAndUrgentOnesFirst() {
    var plan = WorkerPlan(width: 2)
    _ = plan.handle(.wanted(job(1), isUrgent: false), at: .zero)
    #expect(plan.handle(.wanted(job(2), isUrgent: false), at: .zero) == [.send(job(2))])
    #expect(plan.handle(.wanted(job(3), isUrgent: false), at: .zero).isEmpty)
    #expect(plan.handle(.wanted(job(4), isUrgent: true), at: .zero).isEmpty)
    #expect(plan.handle(.answered(outcome(2)), at: .zero) == [.answer(outcome(2)), .send(job(4))])
  }

  @Test func onlyThePictureThatCrashesTheWorkerFails() {
    var plan = WorkerPlan(width: 2)
    _ = plan.handle(.wanted(job(1), isUrgent: true), at: .zero)
    _ = plan.handle(.wanted(job(2), isUrgent: true), at: .zero)
    // Either of two pictures may have crashed the worker, so each gets a worker of its own.
    #expect(plan.handle(ended, at: .zero).isEmpty)
    #expect(plan.deadline == WorkerPlan.firstPause)
    #expect(plan.handle(.timePassed, at: WorkerPlan.firstPause) == [.start, .send(job(1))])
    // The system may have killed the worker, so the picture gets a second try.
    #expect(plan.handle(ended, at: .seconds(1)).isEmpty)
    #expect(plan.handle(.timePassed, at: .seconds(2)) == [.start, .send(job(1))])
    #expect(plan.handle(ended, at: .seconds(3)) == [.answer(broken(1)), .start, .send(job(2))])
    #expect(plan.handle(.answered(outcome(2)), at: .seconds(4)) == [.answer(outcome(2))])
  }

  @Test func aPictureIsNotBlamedForOneEndOfItsWorker() {
    var plan = WorkerPlan(width: 2)
    _ = plan.handle(.wanted(job(1), isUrgent: true), at: .zero)
    #expect(plan.handle(ended, at: .zero).isEmpty)
    #expect(plan.deadline == WorkerPlan.firstPause)
    #expect(plan.handle(.timePassed, at: WorkerPlan.firstPause) == [.start, .send(job(1))])
    #expect(plan.handle(.answered(outcome(1)), at: .seconds(1)) == [.answer(outcome(1))])
  }

  @Test func aPictureThatTakesTooLongEndsTheWorker() {
    var plan = WorkerPlan(width: 2)
    _ = plan.handle(.wanted(job(1), isUrgent: true), at: .zero)
    #expect(plan.deadline == WorkerPlan.patience)
    #expect(plan.handle(.timePassed, at: WorkerPlan.patience) == [.kill])
    // Until it has ended, nothing is left to be done at any moment.
    #expect(plan.deadline == nil)
    #expect(plan.handle(.timePassed, at: WorkerPlan.patience).isEmpty)
    #expect(plan.handle(ended, at: WorkerPlan.patience).isEmpty)
    let again = WorkerPlan.patience + WorkerPlan.firstPause
    let late = again + WorkerPlan.patience
    #expect(plan.handle(.timePassed, at: again) == [.start, .send(job(1))])
    #expect(plan.deadline == late)
    #expect(plan.handle(.timePassed, at: late) == [.kill])
    #expect(
      plan.handle(ended, at: late) == [.answer(broken(1, "making it smaller took longer than 20 s"))])
  }

  @Test func thePausesBetweenFailedStartsAreBounded() {
    var plan = WorkerPlan(width: 2)
    var now = Duration.zero
    var pauses: [Duration] = []
    // Two pictures are lost at once each time, so that neither can be blamed.
    for id in 1...2 { _ = plan.handle(.wanted(job(id), isUrgent: true), at: now) }
    for _ in 0..<2 {
      _ = plan.handle(ended, at: now)
      guard let deadline = plan.deadline else { break }
      pauses.append(deadline - now)
      now = deadline
      _ = plan.handle(.timePassed, at: now)
    }
    #expect(pauses.first == WorkerPlan.firstPause)
    #expect(pauses.allSatisfy { $0 <= WorkerPlan.lastPause })
  }

  @Test func aWorkerThatDoesNotEndIsKilled() {
    var plan = WorkerPlan(width: 2)
    _ = plan.handle(.wanted(job(1), isUrgent: true), at: .zero)
    _ = plan.handle(.answered(outcome(1)), at: .zero)
    #expect(plan.handle(.timePassed, at: WorkerPlan.idleness) == [.release])
    _ = plan.handle(.wanted(job(2), isUrgent: true), at: WorkerPlan.idleness)
    let late = WorkerPlan.idleness * 2
    #expect(plan.deadline == late)
    #expect(plan.handle(.timePassed, at: late) == [.kill])
    // Nothing has failed, so the job that came meanwhile need not wait.
    #expect(plan.handle(ended, at: late) == [.start, .send(job(2))])
  }

  @Test func aPictureIsNotBlamedWhereOthersEndTheWorker() {
    var plan = WorkerPlan(width: 2)
    let killed = WorkerPlan.Event.ended("it was killed", byOthers: true)
    var now = Duration.zero
    _ = plan.handle(.wanted(job(1), isUrgent: true), at: now)
    for _ in 1..<WorkerPlan.interruptionLimit {
      #expect(plan.handle(killed, at: now).isEmpty)
      now = plan.deadline ?? now
      #expect(plan.handle(.timePassed, at: now) == [.start, .send(job(1))])
    }
    // This goes on and on, so the picture fails for this time, and is not recorded as bad.
    let actions = plan.handle(killed, at: now)
    guard case .answer(let outcome) = actions.first else {
      Issue.record("\(actions)")
      return
    }
    #expect(outcome.id == 1 && outcome.failure?.code == "library.noArtworkWorker")
  }

  /// Lets the system refuse starts at the times that the plan asks for until a job is answered.
  /// Returns the failed jobs.
  private func refuseStarts(_ plan: inout WorkerPlan, now: inout Duration) -> [Int] {
    for _ in 0..<20 {
      now = plan.deadline ?? now
      guard plan.handle(.timePassed, at: now).first == .start else { continue }
      let failed = plan.handle(.refused("no memory"), at: now).compactMap { action -> Int? in
        guard case .answer(let outcome) = action, outcome.failure?.code == "library.noArtworkWorker" else { return nil }
        return outcome.id
      }
      if !failed.isEmpty { return failed }
    }
    return []
  }

  @Test func allPicturesFailWithinSecondsWhereTheSystemStartsNoWorker() {
    var (plan, now) = (WorkerPlan(width: 2), Duration.zero)
    #expect(plan.handle(.wanted(job(1), isUrgent: true), at: now).first == .start)
    #expect(plan.handle(.refused("no memory"), at: now).isEmpty)
    for id in 2...9 { _ = plan.handle(.wanted(job(id), isUrgent: id % 2 == 0), at: now) }
    #expect(refuseStarts(&plan, now: &now) == [1, 2, 4, 6, 8, 3, 5, 7, 9])
    #expect(now < .seconds(2))
    // A later picture fails at the first refusal.
    _ = plan.handle(.wanted(job(10), isUrgent: true), at: now)
    #expect(refuseStarts(&plan, now: &now) == [10])
    #expect(now < .seconds(4))
    // With an answer, the next refusals are tried again as before.
    _ = plan.handle(.wanted(job(11), isUrgent: true), at: now)
    now = plan.deadline ?? now
    #expect(plan.handle(.timePassed, at: now) == [.start, .send(job(11))])
    #expect(plan.handle(.answered(outcome(11)), at: now) == [.answer(outcome(11))])
    _ = plan.handle(ended, at: now)
    _ = plan.handle(.wanted(job(12), isUrgent: true), at: now)
    #expect(plan.handle(.timePassed, at: plan.deadline ?? now) == [.start, .send(job(12))])
    #expect(plan.handle(.refused("no memory"), at: now).isEmpty)
  }

  @Test func afterOnePictureFailedTheNextFailsAtTheFirstEndByOthers() {
    var plan = WorkerPlan(width: 1)
    let killed = WorkerPlan.Event.ended("it was killed", byOthers: true)
    var now = Duration.zero
    for id in 1...2 { _ = plan.handle(.wanted(job(id), isUrgent: true), at: now) }
    for _ in 1..<WorkerPlan.interruptionLimit {
      #expect(plan.handle(killed, at: now).isEmpty)
      now = plan.deadline ?? now
      #expect(plan.handle(.timePassed, at: now) == [.start, .send(job(1))])
    }
    #expect(plan.handle(killed, at: now).count == 1)
    now = plan.deadline ?? now
    #expect(plan.handle(.timePassed, at: now) == [.start, .send(job(2))])
    guard case .answer(let outcome) = plan.handle(killed, at: now).first else {
      Issue.record("the picture is tried again")
      return
    }
    #expect(outcome.id == 2 && outcome.failure?.code == "library.noArtworkWorker")
  }

  @Test func anEndByOthersDoesNotCountAsOneOfThePictures() {
    var plan = WorkerPlan(width: 2)
    let killed = WorkerPlan.Event.ended("it was killed", byOthers: true)
    _ = plan.handle(.wanted(job(1), isUrgent: true), at: .zero)
    #expect(plan.handle(killed, at: .zero).isEmpty)
    #expect(plan.handle(.timePassed, at: .seconds(1)) == [.start, .send(job(1))])
    #expect(plan.handle(ended, at: .seconds(2)).isEmpty)
    #expect(plan.handle(.timePassed, at: .seconds(3)) == [.start, .send(job(1))])
    #expect(plan.handle(ended, at: .seconds(4)) == [.answer(broken(1))])
  }

  @Test func answersOfAFormerWorkerAreIgnored() {
    var plan = WorkerPlan(width: 1)
    #expect(plan.handle(.answered(outcome(9)), at: .zero).isEmpty)
  }
}
