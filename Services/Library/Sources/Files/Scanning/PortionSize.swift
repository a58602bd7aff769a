/// The number of files or folders in the next portion of a scan: as many as are written in a short time, as a person's
/// change may wait for that.
struct PortionSize {
  /// The time that the writing of a portion may take.
  private static let wanted = Duration.milliseconds(120)

  private let range: ClosedRange<Int>
  private(set) var count: Int

  /// - Parameters:
  ///   - count: the size of the first portion.
  ///   - range: the sizes of the others. Each portion costs some time of its own, so none is too small.
  init(_ count: Int, then range: ClosedRange<Int>) {
    self.count = count
    self.range = range
  }

  /// Adapts the size to the time for which a portion of a size was written. It at most doubles, as the first portions
  /// of a scan are the quickest.
  mutating func adapt(to time: Duration, for written: Int) {
    guard written > 0, time > .zero else { return }
    let fitting = min(Double(written) * (Self.wanted / time), Double(count) * 2)
    count = min(max(Int(fitting), range.lowerBound), range.upperBound)
  }
}
