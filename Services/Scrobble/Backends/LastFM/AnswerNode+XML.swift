import CExpat

extension AnswerNode {
  /// Reads XML by expat; nil for what is not well formed, too deep, or declares entities of its own.
  static func xml(_ bytes: [UInt8]) -> AnswerNode? {
    guard bytes.count <= 1 << 20, let parser = XML_ParserCreate(nil) else { return nil }
    defer { XML_ParserFree(parser) }
    let builder = Builder()
    XML_SetUserData(parser, Unmanaged.passUnretained(builder).toOpaque())
    XML_SetElementHandler(
      parser, { Builder.at($0)?.begin($1, $2) }, { context, _ in Builder.at(context)?.end() })
    XML_SetCharacterDataHandler(parser) { Builder.at($0)?.add($1, $2) }
    // An answer has no need of declarations, and entities are how a small one becomes a large one.
    XML_SetStartDoctypeDeclHandler(parser) { context, _, _, _, _ in Builder.at(context)?.isRefused = true }
    let status = bytes.withUnsafeBytes { bytes in
      XML_Parse(parser, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(bytes.count), 1)
    }
    return withExtendedLifetime(builder) {
      status == XML_STATUS_OK && !builder.isRefused ? builder.root.children.first : nil
    }
  }

  /// Puts the tree together as expat reads.
  private final class Builder {
    let root = AnswerNode("")
    var isRefused = false
    private lazy var open = [root]

    static func at(_ context: UnsafeMutableRawPointer?) -> Builder? {
      context.map { Unmanaged<Builder>.fromOpaque($0).takeUnretainedValue() }
    }

    func begin(_ name: UnsafePointer<CChar>?, _ attributes: UnsafeMutablePointer<UnsafePointer<CChar>?>?) {
      guard let name, let parent = open.last, open.count < 64 else {
        isRefused = true
        return
      }
      let node = AnswerNode(String(cString: name))
      parent.add(node)
      open.append(node)
      var place = 0
      while let attributes, let name = attributes[place], let value = attributes[place + 1] {
        node.add(AnswerNode(String(cString: name), String(cString: value)))
        place += 2
      }
    }

    func end() { if open.count > 1 { open.removeLast() } }

    func add(_ text: UnsafePointer<CChar>?, _ count: Int32) {
      guard let text, let node = open.last else { return }
      node.text += String(
        decoding: UnsafeRawBufferPointer(start: text, count: Int(count)), as: UTF8.self)
    }
  }
}
