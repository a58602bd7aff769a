import Discovery

@main struct Main {
  static func main() async { await DiscoveryProcess.run() }
}
