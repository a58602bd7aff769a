// Generated from Artwork.swift by `make generate`: memberwise initialisers for other modules.
// Nobody passes the last parameter. It tells an initialiser from the one that the compiler makes for this module alone.
// swift-format-ignore-file
public import Model

extension Artwork.Want {
  public init(size: Int, format: Artwork.Format, _: Void = ()) {
    self.size = size
    self.format = format
  }
}

extension Artwork.Job {
  public init(id: Int, wants: [Artwork.Want], _: Void = ()) {
    self.id = id
    self.wants = wants
  }
}

extension Artwork.Outcome {
  public init(id: Int, palette: Palette? = nil, failure: LunaraError? = nil, _: Void = ()) {
    self.id = id
    self.palette = palette
    self.failure = failure
  }
}
