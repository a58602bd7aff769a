import Testing

@testable import Storage

@Suite struct ResultCodeTests {
  @Test func aPrimaryCodeMatchesItsExtensions() {
    let uniqueConstraint = ResultCode(2067)
    #expect(ResultCode.constraint ~= uniqueConstraint)
    #expect(ResultCode.constraint ~= .constraint)
    #expect(!(ResultCode.busy ~= uniqueConstraint))
    #expect(!(uniqueConstraint ~= .constraint))
    #expect(!(ResultCode.ok ~= uniqueConstraint))
  }
}
