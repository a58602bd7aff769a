public import Model

/// The messages of `lunara-media`: one node on the library's host, `media@main`, in a household with rooms or pages on
/// other hosts. It serves them audio and pictures.
public enum Media {}

extension Media {
  /// The port at which other hosts get audio and pictures. Since 0.2.
  public struct Endpoint: State, Hashable {
    public static let kind = "media.endpoint"
    /// The port at which it serves; nil while none is open.
    public var port: UInt16?
    /// The reason why no port is open; nil if one is.
    public var problem: LunaraError? = nil
  }
}
