/* NATS beside the bus: core, and JetStream with `mode=stream`. */
#include <nats/nats.h>

#include "peer.h"

static natsConnection *connection;
static jsCtx *stream;

static void check(natsStatus status, const char *what) {
  if (status != NATS_OK) fail("nats: %s: %s (%s)", what, natsStatus_GetText(status), nats_GetLastError(NULL));
}

static void connect_to(const char *url) {
  natsOptions *options;
  check(natsOptions_Create(&options), "options");
  check(natsOptions_SetURL(options, url), "url");
  /* Each message is written to the socket at once, by the thread that publishes it. */
  check(natsOptions_SetSendAsap(options, true), "send at once");
  check(natsConnection_Connect(&connection, options), "connect");
  natsOptions_Destroy(options);
}

/* A stream in a file, made by whoever comes first. */
static void open_stream(void) {
  check(natsConnection_JetStream(&stream, connection, NULL), "JetStream");
  jsStreamConfig config;
  jsStreamConfig_Init(&config);
  const char *subjects[] = {"bench.noted"};
  config.Name = "BENCH";
  config.Subjects = subjects;
  config.SubjectsLen = 1;
  config.Storage = js_FileStorage;
  jsErrCode code = 0;
  natsStatus status = js_AddStream(NULL, stream, &config, NULL, &code);
  if (status != NATS_OK && code != JSStreamNameExistErr) check(status, "add the stream");
}

static void publish_core(void *context, const char *text, int length) {
  (void)context;
  check(natsConnection_Publish(connection, "bench.said", text, length), "publish");
}

static void publish_stream(void *context, const char *text, int length) {
  (void)context;
  check(js_Publish(NULL, stream, "bench.noted", text, length, NULL, NULL), "publish to the stream");
}

static void heard(natsConnection *from, natsSubscription *subscription, natsMsg *message, void *context) {
  (void)from, (void)subscription;
  take(context, natsMsg_GetData(message), (size_t)natsMsg_GetDataLength(message));
  /* A durable consumer moves its place with the acknowledgement. Core messages have none. */
  if (stream) check(natsMsg_Ack(message, NULL), "acknowledge");
  natsMsg_Destroy(message);
}

int main(int count, char **words) {
  if (count < 2) fail("nats publish|read url=… mode=core|stream");
  connect_to(option(count, words, "url", NATS_DEFAULT_URL));
  if (strcmp(option(count, words, "mode", "core"), "stream") == 0) open_stream();
  if (strcmp(words[1], "publish") == 0) {
    publish_all(count, words, stream ? publish_stream : publish_core, NULL);
    while (!is_told(1000)) {}
  } else {
    struct tally tally;
    make_tally(&tally, number_option(count, words, "count", 0));
    natsSubscription *subscription;
    if (stream) {
      jsSubOptions options;
      jsSubOptions_Init(&options);
      options.ManualAck = true;
      options.Config.Durable = "bench";
      options.Config.AckPolicy = js_AckExplicit;
      options.Config.MaxAckPending = 100000;
      check(js_Subscribe(&subscription, stream, "bench.noted", heard, &tally, NULL, &options, NULL), "subscribe");
    } else {
      check(natsConnection_Subscribe(&subscription, connection, "bench.said", heard, &tally), "subscribe");
    }
    say("FOLLOWS");
    while (!is_told(1000)) {}
    report(&tally, option(count, words, "samples", "/dev/null"));
    natsSubscription_Destroy(subscription);
  }
  natsConnection_Close(connection);
  return 0;
}
