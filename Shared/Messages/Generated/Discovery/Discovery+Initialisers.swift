// Generated from Discovery.swift by `make generate`: memberwise initialisers for other modules.
// Nobody passes the last parameter. It tells an initialiser from the one that the compiler makes for this module alone.
// swift-format-ignore-file
public import Model

extension Discovery.ShelfState {
  public init(
    generation: Int64, albums: Int, dial: Int, isReading: Bool = false, problem: LunaraError? = nil, _: Void = ()
  ) {
    self.generation = generation
    self.albums = albums
    self.dial = dial
    self.isReading = isReading
    self.problem = problem
  }
}

extension Discovery.WallName {
  public init(seed: Int64, dial: Int, first: Int, genre: String? = nil, subcategories: [String]? = nil, _: Void = ()) {
    self.seed = seed
    self.dial = dial
    self.first = first
    self.genre = genre
    self.subcategories = subcategories
  }
}

extension Discovery.SetDial {
  public init(dial: Int, _: Void = ()) { self.dial = dial }
}
