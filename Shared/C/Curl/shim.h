#pragma once

#include <curl/curl.h>
#include <malloc.h>

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

// As above. `open` is called with the numeric address of each connection before it is made.
static inline CURLcode lunara_curl_set_opener(CURL *transfer, curl_opensocket_callback open, void *context) {
  curl_easy_setopt(transfer, CURLOPT_OPENSOCKETDATA, context);
  return curl_easy_setopt(transfer, CURLOPT_OPENSOCKETFUNCTION, open);
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
