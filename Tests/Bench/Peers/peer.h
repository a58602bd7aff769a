/* The parts that the clients of all peers share: the message, the pace, the tally and the words of the driver.
 *
 * A client is started as `NAME publish|read NAME=VALUE…`. It prints READY, takes a line on standard input for "go" or
 * "stop", and prints DONE; `Tests/Bench/Bus` does the same for the bus of Lunara.
 */
#ifndef PEER_H
#define PEER_H

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* The value of NAME=… among the arguments; `other` where there is none. */
static inline const char *option(int count, char **words, const char *name, const char *other) {
  size_t length = strlen(name);
  for (int at = 2; at < count; at++)
    if (strncmp(words[at], name, length) == 0 && words[at][length] == '=') return words[at] + length + 1;
  return other;
}

static inline long number_option(int count, char **words, const char *name, long other) {
  const char *text = option(count, words, name, NULL);
  return text ? strtol(text, NULL, 10) : other;
}

/* Ends the process with words. */
__attribute__((noreturn, format(printf, 1, 2))) static inline void fail(const char *format, ...) {
  va_list values;
  va_start(values, format);
  vfprintf(stderr, format, values);
  va_end(values);
  fputc('\n', stderr);
  exit(1);
}

static inline void say(const char *line) {
  puts(line);
  fflush(stdout);
}

/* Returns 1 if a line, or the end, comes on standard input within so many milliseconds. */
static inline int is_told(int milliseconds) {
  struct pollfd input = {.fd = STDIN_FILENO, .events = POLLIN};
  if (poll(&input, 1, milliseconds) <= 0) return 0;
  char line[64];
  (void)!read(STDIN_FILENO, line, sizeof line);
  return 1;
}

static inline int64_t monotonic_nanoseconds(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

/* The same message as `Track` in Tests/Bench/Bus/Messages.swift; gives its length. */
static inline int write_track(char *text, size_t size, long number) {
  return snprintf(text, size,
                  "{\"album\":\"The Well-Tempered Measure\",\"artists\":[\"An Ensemble of Invention\",\"A Second Name\"],"
                  "\"disc\":1,\"id\":\"files:4d2f6c1e9a7b40538d1e6f\",\"number\":%ld,\"room\":\"kitchen\","
                  "\"seconds\":287.5,\"stamp\":%lld,\"title\":\"Prelude and Fugue in the Key of a Quiet Afternoon\","
                  "\"url\":\"file:///music/An%%20Ensemble/Measure/01.flac\",\"year\":1994}",
                  number, (long long)monotonic_nanoseconds());
}

/* The messages that a reader got: their number, their order, and the latency of each in nanoseconds. */
struct tally {
  pthread_mutex_t mutex;
  long count, received, last, disordered;
  int is_warm;
  int64_t began, ended;
  int64_t *latencies;
};

static inline void make_tally(struct tally *tally, long count) {
  memset(tally, 0, sizeof *tally);
  pthread_mutex_init(&tally->mutex, NULL);
  tally->count = count;
  tally->latencies = calloc((size_t)count, sizeof(int64_t));
  if (!tally->latencies) fail("no memory");
}

/* Takes a message in: decodes it and notes how long it took. */
static inline void take(struct tally *tally, const char *text, size_t length) {
  char copy[1024];
  if (length >= sizeof copy) fail("a message of %zu bytes came", length);
  memcpy(copy, text, length);
  copy[length] = 0;
  const char *number_text = strstr(copy, "\"number\":"), *stamp_text = strstr(copy, "\"stamp\":");
  if (!number_text || !stamp_text) fail("a message without number or stamp came");
  long number = strtol(number_text + 9, NULL, 10);
  int64_t stamp = strtoll(stamp_text + 8, NULL, 10), now = monotonic_nanoseconds();
  pthread_mutex_lock(&tally->mutex);
  if (number == 0) {
    if (!tally->is_warm) say("READY");
    tally->is_warm = 1;
  } else {
    if (tally->received == 0) tally->began = now;
    if (number <= tally->last) tally->disordered++;
    if (number > tally->last) tally->last = number;
    if (tally->received < tally->count) tally->latencies[tally->received] = now - stamp;
    tally->received++;
    tally->ended = now;
    if (tally->received == tally->count) say("DONE");
  }
  pthread_mutex_unlock(&tally->mutex);
}

/* Writes the latencies as 64-bit integers to a file and the rest to standard output. */
static inline void report(struct tally *tally, const char *path) {
  pthread_mutex_lock(&tally->mutex);
  long kept = tally->received < tally->count ? tally->received : tally->count;
  FILE *file = fopen(path, "wb");
  if (!file) fail("%s: %s", path, strerror(errno));
  fwrite(tally->latencies, sizeof(int64_t), (size_t)kept, file);
  fclose(file);
  printf("{\"received\":%ld,\"disordered\":%ld,\"last\":%ld,\"seconds\":%f}\n", tally->received, tally->disordered,
         tally->last, (double)(tally->ended - tally->began) / 1e9);
  fflush(stdout);
  pthread_mutex_unlock(&tally->mutex);
}

/* Publishes one message and returns when it is acknowledged, where that is asked for. */
typedef void (*publish_function)(void *context, const char *text, int length);

static inline void publish_track(publish_function publish, void *context, long number) {
  char text[1024];
  int length = write_track(text, sizeof text, number);
  publish(context, text, length);
}

/* Warms up until told to go, then publishes each message once at an even pace. */
static inline void publish_all(int count_of_words, char **words, publish_function publish, void *context) {
  long rate = number_option(count_of_words, words, "rate", 0), warm = number_option(count_of_words, words, "warm", 0);
  long count = number_option(count_of_words, words, "count", 0);
  say("READY");
  while (!is_told(20)) publish_track(publish, context, 0);
  int64_t next = monotonic_nanoseconds(), step = rate > 0 ? 1000000000 / rate : 0;
  for (long at = 1 - warm; at <= count; at++) {
    next += step;
    struct timespec moment = {.tv_sec = next / 1000000000, .tv_nsec = next % 1000000000};
    while (step && clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &moment, NULL) == EINTR) {}
    if (at == 1) say("MEASURED");
    publish_track(publish, context, at < 0 ? 0 : at);
  }
  say("DONE");
}

#endif
