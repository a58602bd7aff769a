import Testing

@testable import Bus

struct SecretBoxTests {
  @Test func itOpensWhatItSealed() throws {
    let box = try SecretBox.random(use: "a")
    for bytes in [[], [0], Array(0...255), [UInt8](repeating: 7, count: 10_000)] as [[UInt8]] {
      let text = box.seal(bytes)
      #expect(box.open(text) == bytes && text != box.seal(bytes))
    }
  }

  @Test func anotherKeyOrUseOpensNothing() throws {
    let box = try SecretBox.random(use: "a")
    let text = box.seal([1, 2, 3])
    #expect(SecretBox(use: "a", key: box.keyText)?.open(text) == [1, 2, 3])
    #expect(SecretBox(use: "b", key: box.keyText)?.open(text) == nil)
    #expect(try SecretBox.random(use: "a").open(text) == nil)
    for text in ["", "A", "=", "ü", String(text.dropLast()), text + "A", text.uppercased(), String(text.reversed())] {
      #expect(box.open(text) == nil, "\(text)")
    }
    for key in ["", "00", box.keyText + "00", String(repeating: "x", count: 64)] {
      #expect(SecretBox(use: "a", key: key) == nil, "\(key)")
    }
  }
}
