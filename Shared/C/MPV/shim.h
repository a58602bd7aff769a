// libmpv's client API, loaded when the first sound is asked for.
//
// Why not linked: with the two hundred libraries it brings, libmpv takes 43 MB and 60 ms at every start, whether or not
// the room ever plays. Why functions and not pointers: Swift would see each pointer as optional at every call.
#pragma once

#include <dlfcn.h>
#include <stddef.h>

#include <mpv/client.h>
#include <mpv/stream_cb.h>

#define LUNARA_MPV_FUNCTIONS(each)                                                                                     \
  each(client_api_version) each(create) each(initialize) each(terminate_destroy) each(set_option_string)               \
  each(set_property_async) each(set_property_string) each(get_property) each(get_property_string) each(free)           \
  each(get_property_async) each(observe_property) each(command_async)                                                  \
  each(request_log_messages) each(hook_add) each(hook_continue) each(wait_event) each(wakeup) each(error_string) each(stream_cb_add_ro)

/// The functions of a loaded libmpv.
struct lunara_mpv {
#define LUNARA_MPV_FIELD(name) __typeof__(&mpv_##name) name;
  LUNARA_MPV_FUNCTIONS(LUNARA_MPV_FIELD)
#undef LUNARA_MPV_FIELD
};

/// Loads a library and finds every function in it: NULL, or the loader's words on what is missing.
static inline const char *_Nullable lunara_mpv_load(struct lunara_mpv *_Nonnull mpv, const char *_Nonnull library) {
  void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
  if (!handle) return dlerror();
#define LUNARA_MPV_FIND(name)                                                                                          \
  mpv->name = (__typeof__(&mpv_##name))dlsym(handle, "mpv_" #name);                                                    \
  if (!mpv->name) return "it lacks mpv_" #name;
  LUNARA_MPV_FUNCTIONS(LUNARA_MPV_FIND)
#undef LUNARA_MPV_FIND
  return NULL;
}

/// Takes what ALSA would print.
static inline void lunara_mpv_take_alsa_error(
    const char *_Nullable file, int line, const char *_Nullable function, int error, const char *_Nullable format, ...) {
  (void)file, (void)line, (void)function, (void)error, (void)format;
}
// Why: ALSA prints what it does not find to standard error, eight lines a try, into logs of any format. libmpv reports
// the same in its own words.
/// Keeps ALSA, where libmpv has brought it, from printing.
static inline void lunara_mpv_quieten_alsa(void) {
  void *alsa = dlopen("libasound.so.2", RTLD_NOW | RTLD_NOLOAD);
  if (!alsa) return;
  int (*set)(void (*)(const char *, int, const char *, int, const char *, ...)) =
      (int (*)(void (*)(const char *, int, const char *, int, const char *, ...)))dlsym(
          alsa, "snd_lib_error_set_handler");
  if (set) set(lunara_mpv_take_alsa_error);
}

/// mpv_client_api_version: the major version in the upper 16 bits.
static inline unsigned long lunara_mpv_version(const struct lunara_mpv *_Nonnull mpv) {
  return mpv->client_api_version();
}
/// mpv_create: NULL where memory is short or LC_NUMERIC is not C.
static inline mpv_handle *_Nullable lunara_mpv_create(const struct lunara_mpv *_Nonnull mpv) { return mpv->create(); }
/// mpv_initialize.
static inline int lunara_mpv_initialize(const struct lunara_mpv *_Nonnull mpv, mpv_handle *_Nonnull handle) {
  return mpv->initialize(handle);
}
/// mpv_terminate_destroy: returns when the player's threads have ended.
static inline void lunara_mpv_end(const struct lunara_mpv *_Nonnull mpv, mpv_handle *_Nonnull handle) {
  mpv->terminate_destroy(handle);
}
/// mpv_set_option_string.
static inline int lunara_mpv_set_option(
    const struct lunara_mpv *_Nonnull mpv, mpv_handle *_Nonnull handle, const char *_Nonnull name,
    const char *_Nonnull value) {
  return mpv->set_option_string(handle, name, value);
}
/// mpv_set_property_async with a flag.
static inline int lunara_mpv_set_flag(
    const struct lunara_mpv *_Nonnull mpv, mpv_handle *_Nonnull handle, const char *_Nonnull name, int value) {
  return mpv->set_property_async(handle, 0, name, MPV_FORMAT_FLAG, &value);
}
/// mpv_set_property_async with a number.
static inline int lunara_mpv_set_number(
    const struct lunara_mpv *_Nonnull mpv, mpv_handle *_Nonnull handle, const char *_Nonnull name, double value) {
  return mpv->set_property_async(handle, 0, name, MPV_FORMAT_DOUBLE, &value);
}
/// mpv_get_property of a number. Waits for the player's core: only for where that waits for us, in a hook.
static inline int lunara_mpv_get_number(
    const struct lunara_mpv *_Nonnull mpv, mpv_handle *_Nonnull handle, const char *_Nonnull name,
    double *_Nonnull value) {
  return mpv->get_property(handle, name, MPV_FORMAT_DOUBLE, value);
}
/// mpv_set_property_async with a text, which is copied.
static inline int lunara_mpv_set_text(
    const struct lunara_mpv *_Nonnull mpv, mpv_handle *_Nonnull handle, const char *_Nonnull name,
    const char *_Nonnull value) {
  return mpv->set_property_async(handle, 0, name, MPV_FORMAT_STRING, &value);
}
/// mpv_set_property_string. Waits for the player's core: only for where that waits for us, in a hook.
static inline int lunara_mpv_put(
    const struct lunara_mpv *_Nonnull mpv, mpv_handle *_Nonnull handle, const char *_Nonnull name,
    const char *_Nonnull value) {
  return mpv->set_property_string(handle, name, value);
}
/// mpv_get_property_string, to be given back with `lunara_mpv_free`; NULL where it has none. Waits for the player's
/// core: only for where that waits for us, in a hook.
static inline char *_Nullable lunara_mpv_get_text(
    const struct lunara_mpv *_Nonnull mpv, mpv_handle *_Nonnull handle, const char *_Nonnull name) {
  return mpv->get_property_string(handle, name);
}
/// mpv_free.
static inline void lunara_mpv_free(const struct lunara_mpv *_Nonnull mpv, void *_Nullable memory) { mpv->free(memory); }
/// mpv_get_property_async of a text.
static inline int lunara_mpv_ask_text(
    const struct lunara_mpv *_Nonnull mpv, mpv_handle *_Nonnull handle, uint64_t mark, const char *_Nonnull name) {
  return mpv->get_property_async(handle, mark, name, MPV_FORMAT_STRING);
}
/// mpv_get_property_async of a number.
static inline int lunara_mpv_ask_number(
    const struct lunara_mpv *_Nonnull mpv, mpv_handle *_Nonnull handle, uint64_t mark, const char *_Nonnull name) {
  return mpv->get_property_async(handle, mark, name, MPV_FORMAT_DOUBLE);
}
/// mpv_observe_property.
static inline int lunara_mpv_observe(
    const struct lunara_mpv *_Nonnull mpv, mpv_handle *_Nonnull handle, const char *_Nonnull name, mpv_format format) {
  return mpv->observe_property(handle, 0, name, format);
}
/// mpv_command_async with words ended by NULL.
static inline int lunara_mpv_command(
    const struct lunara_mpv *_Nonnull mpv, mpv_handle *_Nonnull handle, uint64_t mark,
    const char *_Nullable *_Nonnull words) {
  return mpv->command_async(handle, mark, words);
}
/// mpv_request_log_messages.
static inline int lunara_mpv_request_log(
    const struct lunara_mpv *_Nonnull mpv, mpv_handle *_Nonnull handle, const char *_Nonnull level) {
  return mpv->request_log_messages(handle, level);
}
/// mpv_stream_cb_add_ro: `open` is called with `context` for addresses that begin with the protocol's name and `://`,
/// on any thread, until the handle has ended.
static inline int lunara_mpv_add_protocol(
    const struct lunara_mpv *_Nonnull mpv, mpv_handle *_Nonnull handle, const char *_Nonnull protocol,
    void *_Nonnull context, mpv_stream_cb_open_ro_fn _Nonnull open) {
  return mpv->stream_cb_add_ro(handle, protocol, context, open);
}
/// mpv_hook_add.
static inline int lunara_mpv_hook(
    const struct lunara_mpv *_Nonnull mpv, mpv_handle *_Nonnull handle, const char *_Nonnull name) {
  return mpv->hook_add(handle, 0, name, 0);
}
/// mpv_hook_continue.
static inline int lunara_mpv_continue(
    const struct lunara_mpv *_Nonnull mpv, mpv_handle *_Nonnull handle, uint64_t hook) {
  return mpv->hook_continue(handle, hook);
}
/// mpv_wait_event: valid until the next call; a negative timeout waits for ever.
static inline const mpv_event *_Nonnull lunara_mpv_wait(
    const struct lunara_mpv *_Nonnull mpv, mpv_handle *_Nonnull handle, double seconds) {
  return mpv->wait_event(handle, seconds);
}
/// mpv_wakeup: from any thread.
static inline void lunara_mpv_wakeup(const struct lunara_mpv *_Nonnull mpv, mpv_handle *_Nonnull handle) {
  mpv->wakeup(handle);
}
/// mpv_error_string.
static inline const char *_Nonnull lunara_mpv_error(const struct lunara_mpv *_Nonnull mpv, int error) {
  return mpv->error_string(error);
}

// Why: the data of an event is a void pointer whose type its id tells; Swift would have to bind memory at each use.
/// The data of MPV_EVENT_START_FILE.
static inline const mpv_event_start_file *_Nonnull lunara_mpv_start(const mpv_event *_Nonnull event) {
  return event->data;
}
/// The data of MPV_EVENT_END_FILE.
static inline const mpv_event_end_file *_Nonnull lunara_mpv_end_file(const mpv_event *_Nonnull event) {
  return event->data;
}
/// The data of MPV_EVENT_PROPERTY_CHANGE and MPV_EVENT_GET_PROPERTY_REPLY.
static inline const mpv_event_property *_Nonnull lunara_mpv_property(const mpv_event *_Nonnull event) {
  return event->data;
}
/// The data of MPV_EVENT_LOG_MESSAGE.
static inline const mpv_event_log_message *_Nonnull lunara_mpv_log(const mpv_event *_Nonnull event) {
  return event->data;
}
/// The data of MPV_EVENT_HOOK.
static inline const mpv_event_hook *_Nonnull lunara_mpv_hook_event(const mpv_event *_Nonnull event) {
  return event->data;
}
/// The number of a property of MPV_FORMAT_DOUBLE; 0 and `value` unchanged where it has none.
static inline int lunara_mpv_number(const mpv_event_property *_Nonnull property, double *_Nonnull value) {
  if (property->format != MPV_FORMAT_DOUBLE || !property->data) return 0;
  *value = *(const double *)property->data;
  return 1;
}
/// The flag of a property of MPV_FORMAT_FLAG; 0 where it has none.
static inline int lunara_mpv_flag(const mpv_event_property *_Nonnull property) {
  return property->format == MPV_FORMAT_FLAG && property->data && *(const int *)property->data;
}
/// The text of a property of MPV_FORMAT_STRING; NULL where it has none.
static inline const char *_Nullable lunara_mpv_text(const mpv_event_property *_Nonnull property) {
  return property->format == MPV_FORMAT_STRING && property->data ? *(const char *const *)property->data : NULL;
}
/// The playlist entry that the `loadfile` of an MPV_EVENT_COMMAND_REPLY made; -1 where it made none.
static inline int64_t lunara_mpv_entry(const mpv_event *_Nonnull event) {
  const mpv_node *node = &((const mpv_event_command *)event->data)->result;
  if (node->format != MPV_FORMAT_NODE_MAP) return -1;
  for (int i = 0; i < node->u.list->num; i++) {
    const char *key = node->u.list->keys[i], *wanted = "playlist_entry_id";
    while (*key && *key == *wanted) key++, wanted++;
    if (*key == *wanted && node->u.list->values[i].format == MPV_FORMAT_INT64) return node->u.list->values[i].u.int64;
  }
  return -1;
}
