import System
import Testing

/// What `SystemMemory` returns to the system.
struct SystemMemoryTests {
  /// These tests are one large program, so most of its code is mapped; other tests map some of it again meanwhile.
  @Test func codeThatRanBeforeIsUnmapped() throws {
    let before = try #require(ProcessMemory.of("self")).shared
    SystemMemory.giveBack()
    let after = try #require(ProcessMemory.of("self")).shared
    #expect(after < before - (1 << 20))
  }
}
