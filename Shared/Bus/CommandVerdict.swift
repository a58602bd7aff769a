/// What a node does with a command that is new to this run of it. Pure.
enum CommandVerdict: Equatable {
  /// It was not carried out by any run of this node: carry it out.
  case run
  /// A former run carried it out and stored this answer: give it again.
  case repeatAnswer([UInt8])
  /// It was meant for a former run, which stored nothing: whether it was carried out cannot be known.
  case unknown

  /// Judges a command.
  ///
  /// - Parameters:
  ///   - stored: the answer that was stored in the transaction of its effect, where there is one.
  ///   - target: the run of the node it is meant for, where its asker knows it.
  ///   - run: this run.
  init(stored: [UInt8]?, target: NodeRun?, run: NodeRun) {
    if let stored {
      self = .repeatAnswer(stored)
    } else if let target, !target.means(run) {
      self = .unknown
    } else {
      self = .run
    }
  }
}
