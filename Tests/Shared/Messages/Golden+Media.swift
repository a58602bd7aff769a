import Messages
import Model

extension Golden {
  static let media = [
    Golden(Media.Endpoint(port: 8788), #"{"port":8788}"#),
    Golden(
      Media.Endpoint(port: nil, problem: Samples.failure),
      #"""
      {"problem":{"cause":"ENOENT","code":"library.fileMissing","message":"The file /m/1.flac is gone."}}
      """#),
  ]
}
