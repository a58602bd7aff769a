#pragma once

#include <curl/curl.h>
#include <malloc.h>
#include <netinet/in.h>
#include <stddef.h>
#include <sys/socket.h>

// curl_easy_setopt, curl_easy_getinfo and curl_multi_setopt are variadic, which Swift does not import: one function for
// each kind of value that is used.
static inline CURLcode lunara_curl_set_number(CURL *transfer, CURLoption option, long value) {
  return curl_easy_setopt(transfer, option, value);
}
static inline CURLcode lunara_curl_set_size(CURL *transfer, CURLoption option, curl_off_t value) {
  return curl_easy_setopt(transfer, option, value);
}
static inline CURLcode lunara_curl_set_text(CURL *transfer, CURLoption option, const char *value) {
  return curl_easy_setopt(transfer, option, value);
}
static inline CURLcode lunara_curl_set_pointer(CURL *transfer, CURLoption option, void *value) {
  return curl_easy_setopt(transfer, option, value);
}

// As above. `take` gets the body's bytes and each line of the headers, with `context`.
typedef size_t (*lunara_curl_taker)(char *bytes, size_t size, size_t count, void *context);
static inline CURLcode lunara_curl_set_takers(CURL *transfer, lunara_curl_taker body, lunara_curl_taker header,
                                              void *context) {
  curl_easy_setopt(transfer, CURLOPT_WRITEDATA, context);
  curl_easy_setopt(transfer, CURLOPT_HEADERDATA, context);
  curl_easy_setopt(transfer, CURLOPT_WRITEFUNCTION, body);
  return curl_easy_setopt(transfer, CURLOPT_HEADERFUNCTION, header);
}

// The types of socket addresses belong to several modules, so Swift gets the port and the bytes of an address: four or
// sixteen, none for other kinds. `accept` is called before each connection, and returns 0 to refuse it.
typedef struct {
  int (*accept)(const unsigned char *bytes, size_t count, unsigned short port, void *context);
  void *context;
} lunara_curl_guard;

static inline curl_socket_t lunara_curl_open_guarded(void *guarded, curlsocktype purpose,
                                                     struct curl_sockaddr *address) {
  lunara_curl_guard *guard = guarded;
  // libcurl keeps longer addresses in the place of the shortest one.
  const unsigned char *start = (const unsigned char *)&address->addr;
  const unsigned char *bytes = start;
  size_t count = 0;
  unsigned short port = 0;
  if (address->family == AF_INET) {
    bytes = start + offsetof(struct sockaddr_in, sin_addr);
    port = ntohs(((const struct sockaddr_in *)start)->sin_port);
    count = 4;
  } else if (address->family == AF_INET6) {
    bytes = start + offsetof(struct sockaddr_in6, sin6_addr);
    port = ntohs(((const struct sockaddr_in6 *)start)->sin6_port);
    count = 16;
  }
  (void)purpose;
  if (!guard->accept(bytes, count, port, guard->context)) return CURL_SOCKET_BAD;
  return socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
}

// As above. `guard` must outlive the transfer.
static inline CURLcode lunara_curl_set_guard(CURL *transfer, lunara_curl_guard *guard) {
  curl_easy_setopt(transfer, CURLOPT_OPENSOCKETDATA, guard);
  return curl_easy_setopt(transfer, CURLOPT_OPENSOCKETFUNCTION, lunara_curl_open_guarded);
}

// As above. The status of the last answer, 0 where none came.
static inline long lunara_curl_status(CURL *transfer) {
  long status = 0;
  curl_easy_getinfo(transfer, CURLINFO_RESPONSE_CODE, &status);
  return status;
}
// As above. Where the answer redirects to, as an absolute URL; null where it does not.
static inline const char *lunara_curl_redirect(CURL *transfer) {
  char *url = 0;
  curl_easy_getinfo(transfer, CURLINFO_REDIRECT_URL, &url);
  return url;
}
// As above. The numeric address of the last connection, empty where there was none.
static inline const char *lunara_curl_address(CURL *transfer) {
  char *address = 0;
  curl_easy_getinfo(transfer, CURLINFO_PRIMARY_IP, &address);
  return address ? address : "";
}
// As above. The kernel's number for why a connection failed, 0 where it gave none.
static inline long lunara_curl_system_error(CURL *transfer) {
  long number = 0;
  curl_easy_getinfo(transfer, CURLINFO_OS_ERRNO, &number);
  return number;
}

// As above.
static inline CURLMcode lunara_curl_keep(CURLM *transfers, long connections) {
  return curl_multi_setopt(transfers, CURLMOPT_MAXCONNECTS, connections);
}

// The result of a message lies in a union beside a pointer; this is the transfer that has ended, null where none has.
static inline CURL *lunara_curl_ended(CURLM *transfers, CURLcode *result) {
  int waiting = 0;
  for (;;) {
    CURLMsg *message = curl_multi_info_read(transfers, &waiting);
    if (message == 0) return 0;
    if (message->msg != CURLMSG_DONE) continue;
    *result = message->data.result;
    return message->easy_handle;
  }
}

// malloc_trim is GNU's own and no part of the Glibc module. Gives back what libcurl and the bodies have freed.
static inline void lunara_curl_release_memory(void) { malloc_trim(0); }
