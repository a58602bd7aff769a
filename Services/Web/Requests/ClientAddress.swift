import Glibc

/// Numeric addresses in the one form in which they are compared.
enum ClientAddress {
  /// An address as the server writes those of its clients (`getnameinfo(3)`, an IPv4 address within an IPv6 one as IPv4);
  /// nil for what is no numeric address.
  static func canonical(_ text: String) -> String? {
    var four = in_addr()
    var six = in6_addr()
    if inet_pton(AF_INET, text, &four) == 1 { return text }
    guard inet_pton(AF_INET6, text, &six) == 1 else { return nil }
    var bytes = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
    guard inet_ntop(AF_INET6, &six, &bytes, socklen_t(bytes.count)) != nil else { return nil }
    let name = String(decoding: bytes.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return name.hasPrefix("::ffff:") && name.contains(".") ? String(name.dropFirst(7)) : name
  }

  /// The last address that the lines of `X-Forwarded-For` name, which is the one that the proxy saw itself: some replace
  /// what a client sent of that name, some add a line, some add to the line.
  static func forwarded(_ headers: [(String, String)]) -> String? {
    headers.last { $0.0.lowercased() == "x-forwarded-for" }
      .flatMap { $0.1.split(separator: ",", omittingEmptySubsequences: false).last }
      .flatMap { canonical($0.filter { $0 != " " && $0 != "\t" }) }
  }
}
