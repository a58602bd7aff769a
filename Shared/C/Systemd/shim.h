#pragma once

#include <string.h>

#include <systemd/sd-bus.h>
#include <systemd/sd-daemon.h>
#include <systemd/sd-journal.h>

// Swift imports neither the macros that make entries of an sd-bus vtable nor the sub-byte layout they fill in, so each
// kind of entry has a function here. All start from zeroed memory, as sd-bus-vtable.h demands of tables on the heap.

static inline sd_bus_vtable lunara_vtable_entry(uint8_t type, uint64_t flags) {
    sd_bus_vtable entry;
    memset(&entry, 0, sizeof entry);
    entry.type = type;
    entry.flags = flags;
    return entry;
}

// Begins a table; refers to sd-bus's own format marker, which is an extern array and not visible to Swift as a pointer.
static inline sd_bus_vtable lunara_vtable_start(void) {
    sd_bus_vtable entry = lunara_vtable_entry(_SD_BUS_VTABLE_START, 0);
    entry.x.start.element_size = sizeof(sd_bus_vtable);
    entry.x.start.features = _SD_BUS_VTABLE_PARAM_NAMES;
    entry.x.start.vtable_format_reference = &sd_bus_object_vtable_format;
    return entry;
}

static inline sd_bus_vtable lunara_vtable_end(void) {
    return lunara_vtable_entry(_SD_BUS_VTABLE_END, 0);
}

// A method without results that any process of the same person may call. `names` holds the names of its arguments, each
// ended by NUL, and one more NUL.
static inline sd_bus_vtable lunara_vtable_method(
    const char *member, const char *signature, const char *names, sd_bus_message_handler_t handler) {
    sd_bus_vtable entry = lunara_vtable_entry(_SD_BUS_VTABLE_METHOD, SD_BUS_VTABLE_UNPRIVILEGED);
    entry.x.method.member = member;
    entry.x.method.signature = signature;
    entry.x.method.result = "";
    entry.x.method.handler = handler;
    entry.x.method.names = names;
    return entry;
}

static inline sd_bus_vtable lunara_vtable_signal(const char *member, const char *signature, const char *names) {
    sd_bus_vtable entry = lunara_vtable_entry(_SD_BUS_VTABLE_SIGNAL, 0);
    entry.x.signal.member = member;
    entry.x.signal.signature = signature;
    entry.x.signal.names = names;
    return entry;
}

// A property; writable where `set` is not NULL. `flags` says how its changes are announced.
static inline sd_bus_vtable lunara_vtable_property(
    const char *member, const char *signature, sd_bus_property_get_t get, sd_bus_property_set_t set, uint64_t flags) {
    sd_bus_vtable entry = lunara_vtable_entry(
        set ? _SD_BUS_VTABLE_WRITABLE_PROPERTY : _SD_BUS_VTABLE_PROPERTY, flags | (set ? SD_BUS_VTABLE_UNPRIVILEGED : 0));
    entry.x.property.member = member;
    entry.x.property.signature = signature;
    entry.x.property.get = get;
    entry.x.property.set = set;
    return entry;
}
