import Testing

@testable import ServiceKit

/// The kernel's figures about a process.
@Suite struct ProcessMetricsTests {
  private let text = "Name:\tlunara\nThreads:\t7\nRss:              2048 kB\nRssAnon:  12 kB\nBroken\n"

  @Test func fieldsAreFoundByTheirWholeNames() {
    #expect(ProcessMetrics.field("Threads", in: text) == "7")
    #expect(ProcessMetrics.kilobytes("Rss", in: text) == 2_097_152)
    #expect(ProcessMetrics.field("Broken", in: text) == nil)
    #expect(ProcessMetrics.field("Absent", in: text) == nil)
    #expect(ProcessMetrics.kilobytes("Name", in: text) == nil)
  }
}
