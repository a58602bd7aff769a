import CJavaScriptCore
import CPlatform
import Glibc

/// A JavaScript engine with one bare context, in which nothing reaches outside but the functions that it is given.
///
/// This folder alone knows the engine. Another one would need the same three things: a function of the host takes texts
/// and returns one, the program of the host returns its receiver, and the receiver takes a text.
final class ScriptEngine {
  /// A function of the host. It takes the arguments as texts, and returns a text; nil becomes `null`.
  typealias HostFunction = ([String]) -> String?

  /// A failure of a script.
  enum Failure: Error {
    /// The engine has ended the script, as it ran for too long without a pause.
    case tooLong
    /// The script threw an error, with this text.
    case thrown(String)
  }

  private let group: JSContextGroupRef
  private let context: JSGlobalContextRef
  private var receiver: JSObjectRef?
  /// The functions that the context refers to; it must not outlive them.
  private var boxes: [Unmanaged<FunctionBox>] = []

  /// Sets the options of the engine, which it reads from the environment when it is used for the first time. Must be
  /// called before, while the process has one thread.
  static func configure() {
    // Without machine code made at run time no page of memory is both writable and executable.
    setenv("JSC_useJIT", "false", 1)
    // The engine collects garbage as if the machine had 32 MiB, and uses the system's allocator: many small processes
    // count more here than a fast one.
    setenv("JSC_forceRAMSize", "33554432", 1)
    // Its collector stops the other threads by signals, which the filter of system calls refuses; then a script that
    // makes a lot of garbage would never continue.
    setenv("JSC_useConcurrentGC", "false", 1)
    setenv("Malloc", "1", 1)
  }

  /// Creates an engine.
  ///
  /// - Parameter timeLimit: the seconds of processor time for which a script may run without a pause.
  init?(timeLimit: Double) {
    guard let group = JSContextGroupCreate(), let context = JSGlobalContextCreateInGroup(group, nil) else { return nil }
    self.group = group
    self.context = context
    JSContextGroupSetExecutionTimeLimit(group, timeLimit, nil, nil)
  }

  deinit {
    if let receiver { JSValueUnprotect(context, receiver) }
    JSGlobalContextRelease(context)
    JSContextGroupRelease(group)
    for box in boxes { box.release() }
  }

  /// Runs the program of the host: the text of a function that takes an object with the host's functions, and returns
  /// the receiver.
  func load(_ program: String, functions: [String: HostFunction]) throws(Failure) {
    let host = JSObjectMake(context, nil, nil)
    for (name, function) in functions {
      let box = Unmanaged.passRetained(FunctionBox(function))
      boxes.append(box)
      Self.withText(name) { name in
        JSObjectSetProperty(
          context, host, name, FunctionBox.object(in: context, box), JSPropertyAttributes(kJSPropertyAttributeReadOnly),
          nil)
      }
    }
    var exception: JSValueRef?
    let made = Self.withText(program) { JSEvaluateScript(context, $0, nil, nil, 1, &exception) }
    try check(exception)
    let result = call(made, [host], &exception)
    try check(exception)
    guard let result, let object = JSValueToObject(context, result, &exception) else {
      throw .thrown("The program of the host returns no receiver.")
    }
    JSValueProtect(context, object)
    receiver = object
  }

  /// Gives the receiver a text, and runs what it leads to until it waits for something.
  func receive(_ text: String) throws(Failure) {
    var exception: JSValueRef?
    let argument = Self.withText(text) { JSValueMakeString(context, $0) }
    _ = call(receiver, [argument], &exception)
    try check(exception)
  }

  /// Frees what the scripts no longer use.
  func collectGarbage() {
    JSSynchronousGarbageCollectForDebugging(context)
    lunara_trim_heap()
  }

  private func call(_ function: JSValueRef?, _ arguments: [JSValueRef?], _ exception: inout JSValueRef?) -> JSValueRef?
  {
    guard let function, let object = JSValueToObject(context, function, &exception) else { return nil }
    return JSObjectCallAsFunction(context, object, nil, arguments.count, arguments, &exception)
  }

  private func check(_ exception: JSValueRef?) throws(Failure) {
    guard let exception else { return }
    let text = Self.text(of: exception, in: context) ?? "an error without a text"
    // The engine's own words; a script cannot catch this error.
    throw text.contains("JavaScript execution terminated") ? .tooLong : .thrown(text)
  }

  fileprivate static func withText<Result>(_ text: String, _ body: (JSStringRef?) -> Result) -> Result {
    let units = Array(text.utf16)
    let string = JSStringCreateWithCharacters(units, units.count)
    defer { JSStringRelease(string) }
    return body(string)
  }

  fileprivate static func text(of value: JSValueRef?, in context: JSContextRef?) -> String? {
    guard let string = JSValueToStringCopy(context, value, nil) else { return nil }
    defer { JSStringRelease(string) }
    guard let start = JSStringGetCharactersPtr(string) else { return nil }
    return String(decoding: UnsafeBufferPointer(start: start, count: JSStringGetLength(string)), as: UTF16.self)
  }
}

/// A function of the host as the engine keeps it.
private final class FunctionBox {
  private let function: ScriptEngine.HostFunction

  init(_ function: @escaping ScriptEngine.HostFunction) { self.function = function }

  /// Returns an object of the engine that calls the function in a box, which must outlive the context.
  static func object(in context: JSContextRef, _ box: Unmanaged<FunctionBox>) -> JSObjectRef? {
    var definition = JSClassDefinition()
    definition.callAsFunction = { context, function, _, count, arguments, _ in
      guard let data = JSObjectGetPrivate(function) else { return JSValueMakeNull(context) }
      let box = Unmanaged<FunctionBox>.fromOpaque(data).takeUnretainedValue()
      let texts = (0..<count).map { ScriptEngine.text(of: arguments?[$0], in: context) ?? "" }
      guard let result = box.function(texts) else { return JSValueMakeNull(context) }
      return ScriptEngine.withText(result) { JSValueMakeString(context, $0) }
    }
    let kind = JSClassCreate(&definition)
    defer { JSClassRelease(kind) }
    return JSObjectMake(context, kind, box.toOpaque())
  }
}
