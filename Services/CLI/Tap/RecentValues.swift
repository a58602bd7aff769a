/// The newest of many values: a ring.
struct RecentValues: Sendable, Equatable {
  private var values: [Double] = []
  private var next = 0
  private let limit: Int

  init(limit: Int) { self.limit = limit }

  mutating func add(_ value: Double) {
    if values.count < limit {
      values.append(value)
    } else {
      values[next] = value
      next = (next + 1) % limit
    }
  }

  /// The values that each of these parts did not exceed; nil where there are none.
  func quantiles(_ parts: [Double]) -> [Double]? {
    guard !values.isEmpty else { return nil }
    let sorted = values.sorted()
    return parts.map { sorted[min(sorted.count - 1, Int($0 * Double(sorted.count)))] }
  }
}
