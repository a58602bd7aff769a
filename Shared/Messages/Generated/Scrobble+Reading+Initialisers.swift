// Generated from Scrobble+Reading.swift by `make generate`: memberwise initialisers for other modules.
// Nobody passes the last parameter. It tells an initialiser from the one that the compiler makes for this module alone.
// swift-format-ignore-file
public import Model

extension Scrobble.ReadFromService {
  public init(service: String, path: String, parameters: [String: String] = [:], body: String? = nil, _: Void = ()) {
    self.service = service
    self.path = path
    self.parameters = parameters
    self.body = body
  }
}

extension Scrobble.ServiceAnswer {
  public init(status: Int, body: String, waitsUntil: Timestamp? = nil, _: Void = ()) {
    self.status = status
    self.body = body
    self.waitsUntil = waitsUntil
  }
}
