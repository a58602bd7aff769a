/* mosquitto beside the bus: MQTT with `qos=0|1|2`. */
#include <mosquitto.h>

#include "peer.h"

static struct mosquitto *client;
static int quality, acknowledged, is_subscribed;

static void check(int code, const char *what) {
  if (code != MOSQ_ERR_SUCCESS) fail("mosquitto: %s: %s", what, mosquitto_strerror(code));
}

static void on_published(struct mosquitto *from, void *context, int id) {
  (void)from, (void)context;
  acknowledged = id;
}

static void on_subscribed(struct mosquitto *from, void *context, int id, int count, const int *granted) {
  (void)from, (void)context, (void)id, (void)count, (void)granted;
  is_subscribed = 1;
}

static void on_message(struct mosquitto *from, void *tally, const struct mosquitto_message *message) {
  (void)from;
  take(tally, message->payload, (size_t)message->payloadlen);
}

/* Without a thread of the library's the message is written to the socket at once. */
static void publish_one(void *context, const char *text, int length) {
  (void)context;
  int id = 0;
  check(mosquitto_publish(client, &id, "bench", length, text, quality, false), "publish");
  while (quality > 0 && acknowledged != id) check(mosquitto_loop(client, 1000, 1), "wait for the acknowledgement");
}

int main(int count, char **words) {
  if (count < 2) fail("mosquitto publish|read port=… qos=0|1|2");
  int is_publisher = strcmp(words[1], "publish") == 0;
  quality = (int)number_option(count, words, "qos", 0);
  struct tally tally;
  make_tally(&tally, number_option(count, words, "count", 1));
  mosquitto_lib_init();
  /* A session of its own that the broker keeps, as a durable reader has. */
  client = mosquitto_new(is_publisher ? "bench-publisher" : "bench-reader", quality == 0, &tally);
  if (!client) fail("mosquitto: no memory");
  check(mosquitto_int_option(client, MOSQ_OPT_TCP_NODELAY, 1), "no delay");
  check(mosquitto_max_inflight_messages_set(client, 0), "no limit in flight");
  mosquitto_publish_callback_set(client, on_published);
  mosquitto_subscribe_callback_set(client, on_subscribed);
  mosquitto_message_callback_set(client, on_message);
  check(mosquitto_connect(client, "127.0.0.1", (int)number_option(count, words, "port", 1883), 600), "connect");
  if (is_publisher) {
    publish_all(count, words, publish_one, NULL);
    while (!is_told(10)) check(mosquitto_loop(client, 0, 1), "loop");
  } else {
    check(mosquitto_subscribe(client, NULL, "bench", quality), "subscribe");
    while (!is_subscribed) check(mosquitto_loop(client, 1000, 1), "wait for the subscription");
    say("FOLLOWS");
    check(mosquitto_loop_start(client), "start the thread");
    while (!is_told(1000)) {}
    report(&tally, option(count, words, "samples", "/dev/null"));
    mosquitto_disconnect(client);
    mosquitto_loop_stop(client, false);
  }
  mosquitto_destroy(client);
  mosquitto_lib_cleanup();
  return 0;
}
