/* Redis beside the bus: publish/subscribe, and Streams with `mode=stream`. */
#include <hiredis/hiredis.h>

#include "peer.h"

static redisContext *connection;
static struct tally tally;
static int is_stream;

static redisReply *checked(void *reply, const char *what) {
  redisReply *given = reply;
  if (!given) fail("redis: %s: %s", what, connection->errstr);
  if (given->type == REDIS_REPLY_ERROR) fail("redis: %s: %s", what, given->str);
  return given;
}

static void publish_one(void *context, const char *text, int length) {
  (void)context;
  const char *form = is_stream ? "XADD bench * d %b" : "PUBLISH bench %b";
  freeReplyObject(checked(redisCommand(connection, form, text, (size_t)length), "publish"));
}

/* The element of a list, or the end of the program. */
static redisReply *element(const redisReply *list, size_t at) {
  if (list->type != REDIS_REPLY_ARRAY || list->elements <= at) fail("redis: an answer has another form");
  return list->element[at];
}

static void *read_stream(void *unused) {
  (void)unused;
  char last[64] = "0";
  while (1) {
    redisReply *reply = checked(redisCommand(connection, "XREAD COUNT 1000 BLOCK 0 STREAMS bench %s", last), "read");
    redisReply *entries = element(element(reply, 0), 1);
    for (size_t at = 0; at < entries->elements; at++) {
      redisReply *entry = element(entries, at), *text = element(element(entry, 1), 1);
      take(&tally, text->str, text->len);
      snprintf(last, sizeof last, "%s", element(entry, 0)->str);
    }
    freeReplyObject(reply);
  }
  return NULL;
}

static void *read_channel(void *unused) {
  (void)unused;
  freeReplyObject(checked(redisCommand(connection, "SUBSCRIBE bench"), "subscribe"));
  void *reply;
  while (redisGetReply(connection, &reply) == REDIS_OK) {
    redisReply *text = element(checked(reply, "hear"), 2);
    take(&tally, text->str, text->len);
    freeReplyObject(reply);
  }
  fail("redis: hear: %s", connection->errstr);
}

int main(int count, char **words) {
  if (count < 2) fail("redis publish|read port=… mode=channel|stream");
  is_stream = strcmp(option(count, words, "mode", "channel"), "stream") == 0;
  connection = redisConnect("127.0.0.1", (int)number_option(count, words, "port", 6379));
  if (!connection || connection->err) fail("redis: connect: %s", connection ? connection->errstr : "no memory");
  if (strcmp(words[1], "publish") == 0) {
    publish_all(count, words, publish_one, NULL);
    while (!is_told(1000)) {}
  } else {
    make_tally(&tally, number_option(count, words, "count", 0));
    pthread_t thread;
    if (pthread_create(&thread, NULL, is_stream ? read_stream : read_channel, NULL) != 0) fail("no thread");
    say("FOLLOWS");
    while (!is_told(1000)) {}
    report(&tally, option(count, words, "samples", "/dev/null"));
  }
  return 0;
}
