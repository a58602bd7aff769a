import Testing

@testable import HTTP

@Suite struct OutflowTests {
  private func take(_ outflow: inout Outflow, _ room: Int) -> [UInt8] {
    var buffer = [UInt8](repeating: 0, count: room)
    let count = buffer.withUnsafeMutableBytes { outflow.take(into: $0) }
    return Array(buffer[..<count])
  }

  @Test(arguments: [1, 2, 3, 7, 100]) func bytesLeaveInTheirOrderWhateverTheRoom(_ room: Int) {
    var outflow = Outflow()
    for chunk in [[1, 2, 3], [], [4], [5, 6, 7, 8, 9, 10]] as [[UInt8]] { outflow.append(chunk) }
    var left: [UInt8] = []
    while outflow.count > 0 { left += take(&outflow, room) }
    #expect(left == Array(1...10))
    #expect(take(&outflow, room) == [])
  }

  @Test func aProducerWaitsUntilHalfHasLeft() {
    var outflow = Outflow()
    outflow.append([UInt8](repeating: 0, count: Outflow.limit - 1))
    #expect(!outflow.isFull)
    outflow.append([0])
    #expect(outflow.isFull)
    #expect(!outflow.hasRoom)
    _ = take(&outflow, Outflow.limit / 2)
    #expect(outflow.hasRoom)
  }
}
