#pragma once

#include <microhttpd.h>
#include <poll.h>

// MHD_start_daemon is variadic, which Swift does not import. One thread polls all connections; a connection that waits
// for its answer is suspended. `accept` says whether a connection is taken.
static inline struct MHD_Daemon *lunara_http_start(int listener, void *context, MHD_AccessHandlerCallback handler,
                                                   void *(*begin)(void *, const char *, struct MHD_Connection *),
                                                   MHD_RequestCompletedCallback completed,
                                                   MHD_NotifyConnectionCallback changed,
                                                   MHD_AcceptPolicyCallback accept, unsigned int connections,
                                                   unsigned int seconds, size_t memory) {
  return MHD_start_daemon(MHD_USE_EPOLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME, 0, accept, context, handler, context,
                          MHD_OPTION_LISTEN_SOCKET, listener, MHD_OPTION_URI_LOG_CALLBACK, begin, context,
                          MHD_OPTION_NOTIFY_COMPLETED, completed, context, MHD_OPTION_NOTIFY_CONNECTION, changed, context,
                          MHD_OPTION_CONNECTION_LIMIT, connections,
                          MHD_OPTION_CONNECTION_TIMEOUT, seconds, MHD_OPTION_CONNECTION_MEMORY_LIMIT, memory,
                          MHD_OPTION_STRICT_FOR_CLIENT, 1, MHD_OPTION_END);
}

// The same, encrypted: certificate and key are PEM texts.
static inline struct MHD_Daemon *lunara_https_start(int listener, void *context, MHD_AccessHandlerCallback handler,
                                                    void *(*begin)(void *, const char *, struct MHD_Connection *),
                                                    MHD_RequestCompletedCallback completed,
                                                    MHD_NotifyConnectionCallback changed,
                                                    MHD_AcceptPolicyCallback accept, unsigned int connections,
                                                    unsigned int seconds, size_t memory,
                                                    const char *certificate, const char *key) {
  return MHD_start_daemon(MHD_USE_EPOLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_TLS, 0, accept, context,
                          handler, context, MHD_OPTION_LISTEN_SOCKET, listener, MHD_OPTION_URI_LOG_CALLBACK, begin, context,
                          MHD_OPTION_NOTIFY_COMPLETED, completed, context, MHD_OPTION_NOTIFY_CONNECTION, changed, context,
                          MHD_OPTION_CONNECTION_LIMIT, connections,
                          MHD_OPTION_CONNECTION_TIMEOUT, seconds, MHD_OPTION_CONNECTION_MEMORY_LIMIT, memory,
                          MHD_OPTION_STRICT_FOR_CLIENT, 1, MHD_OPTION_HTTPS_MEM_CERT, certificate,
                          MHD_OPTION_HTTPS_MEM_KEY, key, MHD_OPTION_HTTPS_PRIORITIES,
                          "NORMAL:-VERS-ALL:+VERS-TLS1.3:+VERS-TLS1.2", MHD_OPTION_END);
}

// MHD_get_connection_info is variadic. The connection's socket, -1 where it has none.
static inline int lunara_http_descriptor(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *value = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
  return value ? value->connect_fd : -1;
}

// As above. The address of the other end, null where it is not known.
static inline const struct sockaddr *lunara_http_client(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *value = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
  return value ? value->client_addr : 0;
}

// POLLRDHUP is a GNU extension that the Glibc module does not have. Whether the other end has closed the connection;
// does not block.
static inline int lunara_http_is_hung_up(int descriptor) {
  struct pollfd polled = {.fd = descriptor, .events = 0x2000 /* POLLRDHUP */};
  return poll(&polled, 1, 0) > 0;
}


// The macros are casts, which Swift does not import.
static const long lunara_http_end_of_stream = -1;
static const long lunara_http_end_with_error = -2;
