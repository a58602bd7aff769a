import Model

/// The sockets of a node: those that it binds, the publishers that send to its subscribers, and its connections to the
/// request sockets of other nodes. Used on the node's I/O thread only.
struct Transport {
  /// A PUB socket to one node on another machine; frames on it are sealed for that node alone.
  struct RemotePublisher {
    let socket: Socket
    var endpoint: Socket.Endpoint
    let address: String
  }

  private let thread: IOThread
  let directory: RuntimeDirectory
  let bufferSize: Int32
  /// The sockets for this machine.
  private(set) var inbox: Socket?
  private(set) var requestSocket: Socket?
  private(set) var publisher: Socket?
  /// The inboxes on this machine to which `publisher` is connected.
  private(set) var subscribers: [NodeID: Socket.Endpoint] = [:]
  /// The listeners for other machines; frames on them have to be sealed.
  private(set) var remoteInbox: RemoteListener?
  private(set) var remoteRequestSocket: RemoteListener?
  private(set) var remotePublishers: [NodeID: RemotePublisher] = [:]
  var ports: ListeningPorts?
  /// The addresses that this node tells other machines.
  var endpoints: Endpoints?
  /// The connections to the nodes that requests are sent to.
  var connections: [NodeID: Connection] = [:]
  var names: NameResolver
  private(set) var directoryWatcher: DirectoryWatcher?
  private var watched: Set<Int32> = []

  init(on thread: IOThread, in directory: RuntimeDirectory, bufferSize: Int32, names: NameResolver) {
    self.thread = thread
    self.directory = directory
    self.bufferSize = bufferSize
    self.names = names
  }

  // MARK: - Descriptors

  /// Calls `ready` on the I/O thread whenever a descriptor is readable.
  mutating func watch(_ descriptor: Int32, _ ready: @escaping () -> Void) {
    watched.insert(descriptor)
    thread.watch(descriptor, ready)
  }

  mutating func ignore(_ descriptor: Int32) {
    watched.remove(descriptor)
    thread.ignore(descriptor)
  }

  /// Stops watching all descriptors, so that nothing more is read.
  mutating func ignoreAll() {
    for descriptor in watched { thread.ignore(descriptor) }
    watched = []
  }

  // MARK: - Opening and closing

  /// - Throws: `bus.socketFailed`, `bus.cannotUseDirectory`.
  mutating func bind(as id: NodeID) throws {
    directory.sweep()
    try directory.clearSockets(of: id)
    let inbox = try Socket(.inbox, bufferSize: bufferSize)
    try inbox.bind(directory.inbox(of: id))
    let requestSocket = try Socket(.requests, bufferSize: bufferSize)
    try requestSocket.bind(directory.requestAddress(of: id))
    directory.shareSockets(of: id)
    publisher = try Socket(.publisher, bufferSize: bufferSize)
    self.inbox = inbox
    self.requestSocket = requestSocket
  }

  /// Binds a pair of TCP addresses; returns false if one of them is in use.
  mutating func bindRemote(inbox: TCPAddress, requests: TCPAddress) throws -> Bool {
    guard let inbox = try RemoteListener(.subscriber, at: inbox, bufferSize: bufferSize),
      let requests = try RemoteListener(.answerer, at: requests, bufferSize: bufferSize)
    else { return false }
    remoteInbox = inbox
    remoteRequestSocket = requests
    return true
  }

  /// Starts watching the runtime directory for nodes that appear; returns the descriptor to watch.
  mutating func watchDirectory() throws -> Int32 {
    let watcher = try DirectoryWatcher(of: directory.path)
    directoryWatcher = watcher
    return watcher.descriptor
  }

  mutating func close() {
    inbox = nil
    requestSocket = nil
    publisher = nil
    directoryWatcher = nil
    connections = [:]
    subscribers = [:]
    remoteInbox = nil
    remoteRequestSocket = nil
    remotePublishers = [:]
  }

  /// The number of connections from other machines whose senders have not proven that they have the key.
  var strangers: Int { (remoteInbox?.strangers ?? 0) + (remoteRequestSocket?.strangers ?? 0) }

  /// The number of such connections that were closed, to make room or because their time was over.
  var closedStrangers: Int { (remoteInbox?.closedStrangers ?? 0) + (remoteRequestSocket?.closedStrangers ?? 0) }

  // MARK: - Subscribers

  /// True while any node has subscribed to this one.
  var hasSubscribers: Bool { !subscribers.isEmpty || !remotePublishers.isEmpty }

  func publish(_ bytes: [UInt8]) { if !subscribers.isEmpty { publisher?.send(bytes) } }

  mutating func connectPublisher(to node: NodeID, inbox: String) throws {
    subscribers[node] = try publisher?.connect(inbox)
  }

  /// Connects to the inbox of a subscriber on another machine. `address` is the address in its hello, `numeric` the
  /// same with its name resolved.
  mutating func connectPublisher(to node: NodeID, address: String, numeric: String) throws {
    let socket = try Socket(.publisher, bufferSize: bufferSize)
    remotePublishers[node] = RemotePublisher(socket: socket, endpoint: try socket.connect(numeric), address: address)
  }

  /// Connects again to the inbox of a subscriber on another machine.
  mutating func reconnectPublisher(to node: NodeID, numeric: String) throws {
    guard let remote = remotePublishers[node] else { return }
    remotePublishers[node] = nil
    remote.socket.disconnect(remote.endpoint)
    remotePublishers[node] = RemotePublisher(
      socket: remote.socket, endpoint: try remote.socket.connect(numeric), address: remote.address)
  }

  mutating func disconnectPublisher(from node: NodeID) {
    if let endpoint = subscribers.removeValue(forKey: node) { publisher?.disconnect(endpoint) }
    remotePublishers[node] = nil
  }
}

/// The connection to the request socket of one node (raw REQ).
struct Connection {
  let socket: Socket
  let descriptor: Int32
  let address: String
  /// A second connection for pages of facts while a journal is read, so that no answer waits behind a page.
  var pages: (socket: Socket, descriptor: Int32)?
  /// True if it leads to another machine, so that its frames are sealed.
  let isRemote: Bool
  /// The start number of the run that sent the last answer; nil before the first answer.
  var epoch: Int64?
  /// True once it was used for more than hellos.
  var isNeeded = false
}

/// The route to a node.
enum Route: Equatable {
  /// Through the runtime directory of this machine.
  case local
  /// By TCP, to a request socket with this address on another machine.
  case remote(String)
}

extension Transport {
  mutating func connect(to node: NodeID, at address: String, isRemote: Bool, _ ready: @escaping () -> Void) throws {
    let (socket, descriptor) = try dial(address, bufferSize: min(bufferSize, 1 << 20), ready)
    connections[node] = Connection(socket: socket, descriptor: descriptor, address: address, isRemote: isRemote)
  }

  /// Opens a raw REQ socket to an address and watches it.
  mutating func dial(_ address: String, bufferSize: Int32, _ ready: @escaping () -> Void) throws -> (Socket, Int32) {
    let socket = try Socket(.connection, bufferSize: bufferSize)
    _ = try socket.connect(address)
    let descriptor = try socket.descriptor()
    watch(descriptor, ready)
    return (socket, descriptor)
  }

  /// Returns the socket for pages of facts from a node; nil if there is no connection to the node.
  mutating func pageSocket(of node: NodeID, _ ready: @escaping () -> Void) throws -> Socket? {
    guard let connection = connections[node] else { return nil }
    if let pages = connection.pages { return pages.socket }
    let pages = try dial(connection.address, bufferSize: min(bufferSize, 1 << 20), ready)
    connections[node]?.pages = pages
    return pages.0
  }

  /// Closes the sockets for pages of nodes from which no page is awaited.
  mutating func closeIdlePageSockets(isAwaited: (NodeID) -> Bool) {
    for (node, connection) in connections where !isAwaited(node) {
      guard let pages = connection.pages else { continue }
      ignore(pages.descriptor)
      connections[node]?.pages = nil
    }
  }

  /// Removes the connection to a node; its sockets are closed when they are released. Returns false if there is none.
  @discardableResult
  mutating func removeConnection(to node: NodeID) -> Bool {
    guard let connection = connections.removeValue(forKey: node) else { return false }
    ignore(connection.descriptor)
    if let pages = connection.pages { ignore(pages.descriptor) }
    return true
  }
}
