import ServiceKit
import TestSupport
import Testing

@testable import Discovery

@Suite struct DiscoverySchemaTests {
  /// After a new migration, run this test with LUNARA_WRITE_SCHEMAS=1.
  @Test func theSchemaFileIsWhatTheMigrationsMake() async throws {
    let (written, made) = try await GoldenSchema.texts(of: .discovery, at: "Services/Discovery/schema.sql")
    #expect(written == made)
  }
}
