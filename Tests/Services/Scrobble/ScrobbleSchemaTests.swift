import ServiceKit
import TestSupport
import Testing

@testable import lunara_scrobble

@Suite struct ScrobbleSchemaTests {
  /// After a new migration, run this test with LUNARA_WRITE_SCHEMAS=1.
  @Test func theSchemaFileIsWhatTheMigrationsMake() async throws {
    let (written, made) = try await GoldenSchema.texts(of: .scrobble, at: "Services/Scrobble/schema.sql")
    #expect(written == made)
  }
}
