import Testing

@testable import ServiceKit

@Suite struct StoppingTests {
  private let start = ContinuousClock.now

  @Test func aSecondSignalStopsAtOnceAndTheSupervisorsEndDoesNot() {
    var stopping = Stopping()
    let left = stopping.parentLeft(at: start)
    let verdicts = [stopping.signalled(at: start), stopping.signalled(at: start)]
    #expect(left)
    #expect(verdicts == [.wait, .end])
    var other = Stopping()
    let first = other.signalled(at: start)
    let leftLater = other.parentLeft(at: start)
    let second = other.signalled(at: start)
    #expect(first == .stop)
    #expect(!leftLater)
    #expect(second == .end)
  }

  @Test func theTimeoutCountsFromTheFirstRequest() {
    var stopping = Stopping()
    #expect(stopping.remaining(at: start) == -1)
    #expect(!stopping.isOverdue(at: start + .seconds(1000)))
    _ = stopping.signalled(at: start)
    #expect(stopping.remaining(at: start) == 1901)
    _ = stopping.parentLeft(at: start + .seconds(1))
    #expect(stopping.remaining(at: start + .seconds(1)) == 901)
    #expect(!stopping.isOverdue(at: start + .milliseconds(1899)))
    #expect(stopping.isOverdue(at: start + .milliseconds(1900)))
    #expect(stopping.remaining(at: start + .seconds(9)) == 0)
  }
}
