// Generated from TagReading.swift by `make generate`: memberwise initialisers for other modules.
// Nobody passes the last parameter. It tells an initialiser from the one that the compiler makes for this module alone.
// swift-format-ignore-file

extension TagReading.File {
  public init(name: [UInt8], size: Int64, encoding: UInt8 = 0, _: Void = ()) {
    self.name = name
    self.size = size
    self.encoding = encoding
  }
}
