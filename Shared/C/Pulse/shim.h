// PulseAudio's client API, which PipeWire's sound server speaks as well; loaded when there is sound to watch over.
//
// Why not linked: libmpv brings it, and only where a room plays. Why functions and not pointers: Swift would see each
// pointer as optional at every call.
#pragma once

#include <dlfcn.h>
#include <stddef.h>

#include <pulse/pulseaudio.h>

#define LUNARA_PULSE_FUNCTIONS(each)                                                                                   \
  each(mainloop_new) each(mainloop_free) each(mainloop_get_api) each(mainloop_prepare) each(mainloop_poll)             \
  each(mainloop_dispatch) each(mainloop_wakeup) each(context_new) each(context_connect) each(context_disconnect)       \
  each(context_unref) each(context_get_state) each(context_set_subscribe_callback) each(context_subscribe)             \
  each(context_get_client_info_list) each(context_get_sink_info_list) each(context_get_sink_input_info_list)           \
  each(operation_unref) each(proplist_gets)

/// The functions of a loaded libpulse.
struct lunara_pulse {
#define LUNARA_PULSE_FIELD(name) __typeof__(&pa_##name) name;
  LUNARA_PULSE_FUNCTIONS(LUNARA_PULSE_FIELD)
#undef LUNARA_PULSE_FIELD
};

/// Loads a library and finds every function in it: NULL, or the loader's words on what is missing.
static inline const char *_Nullable lunara_pulse_load(
    struct lunara_pulse *_Nonnull pulse, const char *_Nonnull library) {
  void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
  if (!handle) return dlerror();
#define LUNARA_PULSE_FIND(name)                                                                                        \
  pulse->name = (__typeof__(&pa_##name))dlsym(handle, "pa_" #name);                                                    \
  if (!pulse->name) return "it lacks pa_" #name;
  LUNARA_PULSE_FUNCTIONS(LUNARA_PULSE_FIND)
#undef LUNARA_PULSE_FIND
  return NULL;
}

/// pa_mainloop_new.
static inline pa_mainloop *_Nullable lunara_pulse_loop(const struct lunara_pulse *_Nonnull pulse) {
  return pulse->mainloop_new();
}
/// pa_mainloop_free.
static inline void lunara_pulse_free(const struct lunara_pulse *_Nonnull pulse, pa_mainloop *_Nonnull loop) {
  pulse->mainloop_free(loop);
}
/// pa_mainloop_prepare: negative at the end of the loop. A wake-up that came before this is forgotten.
static inline int lunara_pulse_prepare(const struct lunara_pulse *_Nonnull pulse, pa_mainloop *_Nonnull loop) {
  return pulse->mainloop_prepare(loop, -1);
}
/// pa_mainloop_poll, which waits, and pa_mainloop_dispatch: negative at the end of the loop.
static inline int lunara_pulse_work(const struct lunara_pulse *_Nonnull pulse, pa_mainloop *_Nonnull loop) {
  int result = pulse->mainloop_poll(loop);
  return result < 0 ? result : pulse->mainloop_dispatch(loop);
}
/// pa_mainloop_wakeup: the one function that any thread may call.
static inline void lunara_pulse_wake(const struct lunara_pulse *_Nonnull pulse, pa_mainloop *_Nonnull loop) {
  pulse->mainloop_wakeup(loop);
}
/// pa_context_new and pa_context_connect, which starts no server; NULL server for the person's own.
static inline pa_context *_Nullable lunara_pulse_connect(
    const struct lunara_pulse *_Nonnull pulse, pa_mainloop *_Nonnull loop, const char *_Nonnull name,
    const char *_Nullable server, pa_context_subscribe_cb_t _Nonnull changed, void *_Nullable context) {
  pa_context *connection = pulse->context_new(pulse->mainloop_get_api(loop), name);
  if (!connection) return NULL;
  pulse->context_set_subscribe_callback(connection, changed, context);
  if (pulse->context_connect(connection, server, PA_CONTEXT_NOAUTOSPAWN, NULL) >= 0) return connection;
  pulse->context_unref(connection);
  return NULL;
}
/// pa_context_disconnect and pa_context_unref.
static inline void lunara_pulse_end(const struct lunara_pulse *_Nonnull pulse, pa_context *_Nonnull connection) {
  pulse->context_disconnect(connection);
  pulse->context_unref(connection);
}
/// pa_context_get_state.
static inline pa_context_state_t lunara_pulse_state(
    const struct lunara_pulse *_Nonnull pulse, pa_context *_Nonnull connection) {
  return pulse->context_get_state(connection);
}
/// Forgets an operation, whose callback comes nevertheless: 1 where there is one.
static inline int lunara_pulse_forget(const struct lunara_pulse *_Nonnull pulse, pa_operation *_Nullable operation) {
  if (!operation) return 0;
  pulse->operation_unref(operation);
  return 1;
}
/// pa_context_subscribe: hears of what becomes of outputs and of what plays on them. 0 where that cannot be asked for.
static inline int lunara_pulse_subscribe(const struct lunara_pulse *_Nonnull pulse, pa_context *_Nonnull connection) {
  return lunara_pulse_forget(
      pulse, pulse->context_subscribe(
                 connection, (pa_subscription_mask_t)(PA_SUBSCRIPTION_MASK_SINK | PA_SUBSCRIPTION_MASK_SINK_INPUT),
                 NULL, NULL));
}
/// Asks for all clients, outputs and streams; how many of the three lists will come, each up to its end.
static inline int lunara_pulse_list(
    const struct lunara_pulse *_Nonnull pulse, pa_context *_Nonnull connection, pa_client_info_cb_t _Nonnull client,
    pa_sink_info_cb_t _Nonnull sink, pa_sink_input_info_cb_t _Nonnull input, void *_Nullable context) {
  return lunara_pulse_forget(pulse, pulse->context_get_client_info_list(connection, client, context)) +
         lunara_pulse_forget(pulse, pulse->context_get_sink_info_list(connection, sink, context)) +
         lunara_pulse_forget(pulse, pulse->context_get_sink_input_info_list(connection, input, context));
}
/// pa_proplist_gets: NULL where there is none, or no text.
static inline const char *_Nullable lunara_pulse_property(
    const struct lunara_pulse *_Nonnull pulse, const pa_proplist *_Nonnull list, const char *_Nonnull key) {
  return pulse->proplist_gets(list, key);
}
