extension Explanation {
  /// The codes of the command line, of `lunara up` and of the demo library.
  static let ofCommandLine = [
    Explanation(
      "cli.alreadyUp", "A household is already running with this home folder or runtime directory.",
      "Use the one that runs, stop it, or choose another home and runtime directory.")
  ]
}
