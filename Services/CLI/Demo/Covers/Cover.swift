/// The pictures of the demo library.
enum Cover: Sendable, CaseIterable {
  /// Waves of sand under a low sun.
  case dunes
  /// Rings that meet on still water.
  case ripples
  /// A town at night across a river.
  case skyline
  /// Northern lights over hills.
  case aurora
  /// Leaves behind misted panes.
  case glass
  /// The little bear, and the sky turning around the pole star.
  case stars
  /// Rows of trees in autumn mist.
  case forest

  /// Draws the picture, the same for the same seed.
  func draw(side: Int, seed: UInt64) -> Canvas {
    switch self {
    case .dunes: Self.dunes(side, seed)
    case .ripples: Self.ripples(side, seed)
    case .skyline: Self.skyline(side, seed)
    case .aurora: Self.aurora(side, seed)
    case .glass: Self.glass(side, seed)
    case .stars: Self.stars(side, seed)
    case .forest: Self.forest(side, seed)
    }
  }
}
