import Glibc
import Model

extension Command {
  /// Makes the demo library; `lunara up --demo` runs it as a process of its own, so that its memory is given back.
  static let composeDemo = Command(
    name: "compose-demo", summary: "make the library of generated music that `lunara up --demo` plays",
    discussion: "Seven albums by four invented artists, about 60 MB, in DIR/demo. Needs ffmpeg.",
    examples: [.init("lunara compose-demo /tmp/music", "writes it to /tmp/music/demo")],
    operand: .one("DIR", help: "the folder in which the folder demo is made"),
    action: .held { context in
      let library = DemoLibrary(home: context.arguments.operands[0])
      guard !library.isMade else {
        context.console.note("\(library.folder) is up to date.")
        return .done
      }
      let console = context.console
      console.note("composing \(DemoAlbum.all.count) albums of music, once; it takes about half a minute")
      let supervisor = SupervisorPipe(context.environment)
      try library.make(with: FFmpeg(environment: context.environment), goesOn: { supervisor.isOpen }) { done, album in
        console.note("composed \(done) of \(DemoAlbum.all.count): \(album.artist) – \(album.title)")
      }
      return .done
    })
}
