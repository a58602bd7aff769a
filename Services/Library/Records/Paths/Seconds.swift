extension Duration {
  /// The number of seconds, to the millisecond.
  package var inSeconds: Double { (self / .milliseconds(1)).rounded(.towardZero) / 1000 }
}
