import Mpd

@main struct Main {
  static func main() async { await MPDProcess.run() }
}
