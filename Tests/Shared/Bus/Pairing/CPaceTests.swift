import Model
import Testing

@testable import Bus

/// The key exchange of pairing, compared with draft-irtf-cfrg-cpace-21, appendix B.3.
@Suite struct CPaceTests {
  private func bytes(_ text: String) throws -> [UInt8] { try #require(Hexadecimal.bytes(of: text.utf8)) }
  private let password = Array("Password".utf8)
  private let joiner = Array("ADa".utf8)
  private let host = Array("ADb".utf8)

  private func run(_ scalar: String) throws -> CPace {
    try CPace(
      password: password, channel: bytes("0b415f696e69746961746f720b425f726573706f6e646572"),
      session: bytes("7e4b4791d6a8ef019b936c79fb7f2c57"), scalar: bytes(scalar))
  }
  private func first() throws -> CPace {
    try run("da3d23700a9e5699258aef94dc060dfda5ebb61f02a5ea77fad53f4ff0976d08")
  }
  private func second() throws -> CPace {
    try run("d2316b454718c35362d83d69df6320f38578ed5984651435e2949762d900b80d")
  }

  @Test func lengthsStandBeforeTheirParts() {
    let parts = ["1234", "5", "", "678"].map { Array($0.utf8) }
    #expect(Hexadecimal.text(CPace.joined(parts)) == "043132333401350003363738")
    #expect(CPace.joined([[UInt8](repeating: 7, count: 128)]).prefix(3) == [0x80, 0x01, 7])
  }

  @Test func thePasswordLeadsToTheDraftsGenerator() throws {
    let generator = CPace.generator(
      password: password, channel: try bytes("0b415f696e69746961746f720b425f726573706f6e646572"),
      session: try bytes("7e4b4791d6a8ef019b936c79fb7f2c57"))
    #expect(
      Hexadecimal.text(generator) == "222b6b195fe84b1652badb6f6a3ae3d24341e7306967f0b8115b40d5698c7e56")
  }

  @Test func bothSidesComeToTheDraftsSecret() throws {
    var (one, two) = (try first(), try second())
    #expect(Hexadecimal.text(one.share) == "d6bac480f2c386c394efc7c47adb9925dcd2630b64f240c50f8d0eec482b9157")
    #expect(Hexadecimal.text(two.share) == "3ea7e0b19560d7c0b0f5734f63b955286dfa8232b5ebe63324e2d9e7433f7258")
    let (shareOne, shareTwo) = (one.share, two.share)
    let secret = try bytes(
      "b69effbf61b51d56401c0f65601abe428de8206feaaf0e32198896dcae7b35cd"
        + "2b38950a39dfd5d4a79164614c2984f7daa460b588c1e80c3fa2068af7900447")
    #expect(one.finish(shareTwo, as: .initiator, joiner, host) == secret)
    #expect(two.finish(shareOne, as: .responder, joiner, host) == secret)
  }

  @Test func anotherPasswordLeadsToAnotherSecret() throws {
    let session = try bytes("7e4b4791d6a8ef019b936c79fb7f2c57")
    var one = try CPace(password: Array("Password".utf8), channel: [], session: session)
    var two = try CPace(password: Array("Passwort".utf8), channel: [], session: session)
    let (shareOne, shareTwo) = (one.share, two.share)
    #expect(
      one.finish(shareTwo, as: .initiator, joiner, host) != two.finish(shareOne, as: .responder, joiner, host))
  }

  @Test func anInvalidShareIsRefused() throws {
    // The neutral element, bytes that are no element, and wrong lengths.
    let bad = [
      [UInt8](repeating: 0, count: 32), [UInt8](repeating: 255, count: 32), [UInt8](repeating: 1, count: 31), [],
    ]
    for share in bad {
      var run = try first()
      #expect(run.finish(share, as: .initiator, joiner, host) == nil)
    }
  }
}
