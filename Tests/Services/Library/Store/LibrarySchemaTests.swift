import ServiceKit
import TestSupport
import Testing

@testable import lunara_library

@Suite struct LibrarySchemaTests {
  /// After a new migration, run this test with LUNARA_WRITE_SCHEMAS=1.
  @Test func theSchemaFileIsWhatTheMigrationsMake() async throws {
    let (written, made) = try await GoldenSchema.texts(of: .library, at: "Services/Library/Store/schema.sql")
    #expect(written == made)
  }
}
