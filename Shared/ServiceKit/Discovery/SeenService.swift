/// A service as the daemon lists it: one for each network device and protocol over which it is seen.
struct SeenService: Hashable, Sendable {
  /// The number of the network device.
  var interface: Int32
  /// 0 for IPv4, 1 for IPv6.
  var family: Int32
  var name: String
  var domain: String
}

/// What the daemon says of a service when it is asked.
struct ServiceDetails: Equatable, Sendable {
  var address: String
  var port: UInt16
  /// The service's remarks, `name=value` each.
  var remarks: [String]

  /// The remark that tells whose the machine is.
  static let mark = "tag"

  /// The remarks of a machine of ours.
  ///
  /// - Parameter tags: those of the household's keys, at most eight of 16 letters: a remark takes 255 bytes.
  static func remarks(tags: [String]) -> [String] { ["\(mark)=\(tags.joined(separator: ","))"] }

  /// Where to knock; nil for a machine that is none of the household, or that cannot be dialled.
  func seed(ofOneOf tags: [String]) -> String? {
    let said = remarks.first { $0.hasPrefix("\(Self.mark)=") }?.dropFirst(Self.mark.count + 1).split(separator: ",")
    guard port > 0, let said, said.contains(where: { tags.contains(String($0)) }) else { return nil }
    // A link-local address of IPv6 says nothing without its device, which nanomsg cannot name.
    guard !address.isEmpty, !address.lowercased().hasPrefix("fe80:") else { return nil }
    return address.contains(":") ? "tcp://[\(address)]:\(port)" : "tcp://\(address):\(port)"
  }
}
