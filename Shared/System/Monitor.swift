import Glibc
public import Model

/// A value that threads change one at a time and whose changes they can wait for: a POSIX mutex with a condition.
///
/// For threads that may block. If nobody waits for changes, `Mutex` of the Synchronization module is enough.
///
/// `@unchecked Sendable` is safe because (1) `value` is accessed only in `change` and `wait`, which hold the mutex; (2)
/// the two C objects are allocated at fixed addresses, are initialised before and destroyed after every use, and may be
/// shared between threads; (3) `Value` is Sendable.
public final class Monitor<Value: Sendable>: @unchecked Sendable {
  private var value: Value
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private let condition: UnsafeMutablePointer<pthread_cond_t>

  public init(_ value: Value) {
    self.value = value
    mutex = .allocate(capacity: 1)
    mutex.initialize(to: pthread_mutex_t())
    pthread_mutex_init(mutex, nil)
    condition = .allocate(capacity: 1)
    condition.initialize(to: pthread_cond_t())
    var attributes = pthread_condattr_t()
    pthread_condattr_init(&attributes)
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
    pthread_cond_init(condition, &attributes)
    pthread_condattr_destroy(&attributes)
  }

  deinit {
    pthread_cond_destroy(condition)
    condition.deallocate()
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }

  /// Changes the value and wakes all threads that wait for it.
  public func change<T>(_ body: (inout Value) throws -> T) rethrows -> T {
    pthread_mutex_lock(mutex)
    defer {
      pthread_cond_broadcast(condition)
      pthread_mutex_unlock(mutex)
    }
    return try body(&value)
  }

  /// Blocks until `body` returns a value, at most for `limit`; returns nil after that.
  public func wait<T>(atMost limit: Milliseconds? = nil, _ body: (inout Value) -> T?) -> T? {
    var deadline = timespec()
    if let limit {
      let moment = MonotonicClock.nanoseconds() + limit.rawValue * 1_000_000
      deadline = timespec(tv_sec: Int(moment / 1_000_000_000), tv_nsec: Int(moment % 1_000_000_000))
    }
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    while true {
      if let result = body(&value) { return result }
      if limit == nil {
        pthread_cond_wait(condition, mutex)
      } else if pthread_cond_timedwait(condition, mutex, &deadline) == ETIMEDOUT {
        return body(&value)
      }
    }
  }
}
