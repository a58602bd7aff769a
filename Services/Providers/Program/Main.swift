import Providers

@main struct Main {
  static func main() async { await ProvidersProcess.run() }
}
