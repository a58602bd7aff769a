import Testing

@testable import Model
@testable import Sync

@Suite struct ProviderPacingTests {
  private let start = Timestamp(seconds: 1_000_000)
  private func after(_ seconds: Int64) -> Timestamp { Timestamp(seconds: 1_000_000 + seconds) }

  @Test func aRunIsDueAtOnceEvery6HoursAnd30SecondsAfterAChange() {
    var pacing = ProviderPacing(linkedAt: start)
    #expect(pacing.isDue(at: start))
    pacing.begin(at: start)
    #expect(!pacing.isDue(at: after(6 * 3600 - 1)) && pacing.isDue(at: after(6 * 3600)))
    pacing.changedHere(at: after(100))
    // Further changes do not put it off.
    pacing.changedHere(at: after(120))
    #expect(!pacing.isDue(at: after(129)) && pacing.isDue(at: after(130)))
    pacing.begin(at: after(130))
    pacing.request(at: after(140))
    #expect(pacing.isDue(at: after(140)))
    pacing.begin(at: after(140))
    pacing.finish(isWaiting: true, at: after(200))
    #expect(!pacing.isDue(at: after(799)) && pacing.isDue(at: after(800)))
  }

  @Test func aProviderThatAsksForPausesGetsThem() {
    var pacing = ProviderPacing(linkedAt: start)
    pacing.begin(at: start)
    #expect(pacing.record(.status(429, retryAfter: Milliseconds(7000)), at: start) == .retry(at: after(7)))
    for _ in 0..<4 { #expect(pacing.record(.status(429, retryAfter: nil), at: start) == .retry(at: after(5))) }
    #expect(pacing.record(.status(429, retryAfter: nil), at: start) == .stop(until: after(3600)))
    pacing.request(at: start)
    #expect(!pacing.isDue(at: after(3599)) && pacing.isDue(at: after(3600)))
    pacing.begin(at: after(3600))
    for _ in 0..<5 { _ = pacing.record(.status(429, retryAfter: nil), at: after(3600)) }
    #expect(pacing.record(.status(429, retryAfter: nil), at: after(3600)) == .stop(until: after(7 * 3600)))
    #expect(pacing.record(.success, at: after(7 * 3600)) == .proceed)
    pacing.begin(at: start)
    for _ in 0..<5 { _ = pacing.record(.status(429, retryAfter: nil), at: start) }
    #expect(pacing.record(.status(429, retryAfter: nil), at: start) == .stop(until: after(3600)))
  }

  @Test func aLongRetryAfterEndsTheRunAndIsKept() {
    var pacing = ProviderPacing(linkedAt: start)
    pacing.begin(at: start)
    let hour = Milliseconds(3_600_000)
    #expect(pacing.record(.status(429, retryAfter: hour), at: start) == .stop(until: after(3600)))
    let month = Milliseconds(30 * 86_400_000)
    #expect(pacing.record(.status(429, retryAfter: month), at: start) == .stop(until: after(86_400)))
  }

  @Test func failuresAreRepeatedWithLongerPausesUntilTheBreakerOpens() {
    var pacing = ProviderPacing(linkedAt: start)
    pacing.begin(at: start)
    for seconds: Int64 in [1, 2, 4, 8, 16, 30] {
      #expect(pacing.record(.status(503, retryAfter: nil), at: start) == .retry(at: after(seconds)))
    }
    #expect(pacing.record(.noAnswer, at: start) == .stop(until: after(900)))
    // After that, one failure opens it again, for twice the time.
    pacing.begin(at: after(900))
    #expect(pacing.record(.noAnswer, at: after(900)) == .stop(until: after(2700)))
    pacing.begin(at: after(2700))
    for _ in 0..<20 { _ = pacing.record(.noAnswer, at: after(2700)) }
    #expect(pacing.record(.noAnswer, at: after(2700)) == .stop(until: after(2700 + 6 * 3600)))
    #expect(pacing.record(.success, at: after(90_000)) == .proceed)
    #expect(pacing.record(.noAnswer, at: after(90_000)) == .retry(at: after(90_001)))
  }

  @Test func aTokenIsRefreshedOnceAndForbiddenCallsAreLeftOut() {
    var pacing = ProviderPacing(linkedAt: start)
    #expect(pacing.record(.status(403, retryAfter: nil), at: start) == .skip)
    #expect(pacing.record(.status(404, retryAfter: nil), at: start) == .skip)
    #expect(pacing.record(.status(401, retryAfter: nil), at: start) == .refreshToken)
    #expect(pacing.record(.success, at: start) == .proceed)
    #expect(pacing.record(.status(401, retryAfter: nil), at: start) == .refreshToken)
    #expect(pacing.record(.status(401, retryAfter: nil), at: start) == .signIn)
    #expect(pacing.needsSignIn && !pacing.isDue(at: after(100_000)))
    pacing.signedIn(at: after(5))
    #expect(pacing.isDue(at: after(5)))
    pacing.refused()
    #expect(!pacing.isDue(at: after(5)))
  }

  @Test func aClockThatIsPutBackDoesNotHoldAProviderForever() {
    var pacing = ProviderPacing(linkedAt: start)
    pacing.begin(at: after(1_000_000))
    #expect(pacing.isDue(at: start))
    _ = pacing.record(.status(429, retryAfter: Milliseconds(3_600_000)), at: after(1_000_000))
    #expect(pacing.isDue(at: start))
  }

  @Test func theListsThatWereNotReadForTheLongestTimeComeFirst() {
    let lists = (0..<20).map { number in
      ListProgress(native: "l\(number)", snapshot: "old", readAt: number == 7 ? nil : after(Int64(100 - number)))
    }
    let chosen = ListRotation.choose(lists, snapshots: [:], at: after(200))
    #expect(chosen.map(\.native) == ["l7"] + (6..<20).filter { $0 != 7 }.reversed().map { "l\($0)" } + ["l5"])
    #expect(chosen.count == 15)
  }

  @Test func aSnapshotIsBelievedForADay() {
    var list = ListProgress(native: "l", snapshot: "s", readAt: start)
    #expect(!ListRotation.isDue(list, snapshot: "s", at: after(86_399)))
    #expect(ListRotation.isDue(list, snapshot: "s", at: after(86_400)))
    #expect(ListRotation.isDue(list, snapshot: "s", at: after(-1)))
    #expect(ListRotation.isDue(list, snapshot: "t", at: after(1)))
    #expect(ListRotation.isDue(list, snapshot: nil, at: after(1)))
    list.isWaiting = true
    #expect(ListRotation.isDue(list, snapshot: "s", at: after(1)))
    list = ListProgress(native: "l", snapshot: "s", readAt: start, isChangedHere: true)
    #expect(ListRotation.isDue(list, snapshot: "s", at: after(1)))
  }

  @Test func thePacingIsStored() throws {
    var pacing = ProviderPacing(linkedAt: start)
    pacing.begin(at: start)
    for _ in 0..<6 { _ = pacing.record(.status(429, retryAfter: nil), at: start) }
    #expect(try Stored.copy(pacing) == pacing)
  }
}
