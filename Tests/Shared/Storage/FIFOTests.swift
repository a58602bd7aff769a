import Testing

@testable import Storage

@Suite struct FIFOTests {
  @Test func whatCameFirstLeavesFirst() {
    var queue = FIFO<Int>()
    var left: [Int] = []
    for number in 0..<100 {
      queue.append(number)
      if number.isMultiple(of: 3), let first = queue.popFirst() { left.append(first) }
    }
    #expect(queue.count == 66)
    while let first = queue.popFirst() { left.append(first) }
    #expect(left == Array(0..<100))
    #expect(queue.count == 0)
  }
}
