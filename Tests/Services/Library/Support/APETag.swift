/// APEv2 tags put together item by item (wiki.hydrogenaud.io, "APEv2 specification").
enum APETag {
  static func bytes(text: [(String, String)], picture: [UInt8]? = nil) -> [UInt8] {
    var items: [UInt8] = []
    for (name, value) in text { items += item(name, Array(value.utf8), flags: 0) }
    if let picture { items += item("Cover Art (Front)", Array("cover.png".utf8) + [0] + picture, flags: 2) }
    let footer =
      Array("APETAGEX".utf8) + FLACFile.little(2000) + FLACFile.little(items.count + 32)
      + FLACFile.little(text.count + (picture == nil ? 0 : 1)) + FLACFile.little(0) + [UInt8](repeating: 0, count: 8)
    return items + footer
  }

  private static func item(_ name: String, _ value: [UInt8], flags: Int) -> [UInt8] {
    FLACFile.little(value.count) + FLACFile.little(flags) + Array(name.utf8) + [0] + value
  }
}
