import ServiceKit
import TestSupport
import Testing

@testable import lunara_resolver

@Suite struct ResolverSchemaTests {
  /// After a new migration, run this test with LUNARA_WRITE_SCHEMAS=1.
  @Test func theSchemaFileIsWhatTheMigrationsMake() async throws {
    let (written, made) = try await GoldenSchema.texts(of: .resolver, at: "Services/Resolver/schema.sql")
    #expect(written == made)
  }
}
