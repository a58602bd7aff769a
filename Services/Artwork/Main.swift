import CVips
import Glibc
import Model

/// Makes thumbnails until nobody asks for more: a process of its own, because libvips keeps much memory once it was
/// used, and because some pictures are made to break what reads them.
@main struct Main {
  static func main() {
    guard CommandLine.arguments.count == 1 else {
      let asksVersion = CommandLine.arguments[1] == "--version"
      print(
        asksVersion
          ? "lunara-artwork \(LunaraVersion.current)"
          : "lunara-artwork: makes thumbnails for lunara-library, which starts it when it needs some.")
      exit(asksVersion || CommandLine.arguments[1] == "--help" ? 0 : 2)
    }
    Confinement.enter()
    guard lunara_vips_start("lunara-artwork") == 0 else {
      let line = "lunara-artwork: libvips cannot be used: \(Picture.complaint())\n"
      _ = write(2, line, line.utf8.count)
      exit(1)
    }
    Bench(threads: max(1, min(4, sysconf(Int32(_SC_NPROCESSORS_ONLN))))).work()
    // Nothing is left to tidy, and libvips has threads of its own.
    _exit(0)
  }
}
