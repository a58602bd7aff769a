/// When sources are refreshed: decides, and does nothing itself.
///
/// One refresh runs at a time. Who asks while one runs gets another one after it, since the running one may have passed
/// what they mean.
struct RefreshPlan {
  /// What may happen.
  enum Event {
    /// A refresh is wanted.
    case wanted(AcceptedChanges)
    /// The one that ran has ended.
    case ended
  }

  private var isRunning = false
  private var next: AcceptedChanges?

  /// Whether a refresh runs.
  var runs: Bool { isRunning }

  /// The refresh to begin now, as what it may do; nil for none.
  mutating func handle(_ event: Event) -> AcceptedChanges? {
    switch event {
    case .wanted(let accepts):
      if isRunning {
        next = (next ?? []).union(accepts)
        return nil
      }
      isRunning = true
      return accepts
    case .ended:
      guard let accepts = next else {
        isRunning = false
        return nil
      }
      next = nil
      return accepts
    }
  }
}
