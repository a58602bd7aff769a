import Glibc

/// The program `lunara`.
@main
struct Main {
  static func main() {
    let environment = Environment.ofProcess()
    let status = Program(root: .lunara).run(Array(CommandLine.arguments.dropFirst()), environment: environment) {
      Console.ofProcess(isJSON: $0, environment: environment)
    }
    exit(status.rawValue)
  }
}
