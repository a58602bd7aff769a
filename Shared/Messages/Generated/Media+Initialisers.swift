// Generated from Media.swift by `make generate`: memberwise initialisers for other modules.
// Nobody passes the last parameter. It tells an initialiser from the one that the compiler makes for this module alone.
// swift-format-ignore-file
public import Model

extension Media.Endpoint {
  public init(port: UInt16?, problem: LunaraError? = nil, _: Void = ()) {
    self.port = port
    self.problem = problem
  }
}
