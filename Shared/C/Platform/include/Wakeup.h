#pragma once

// Why: sys/eventfd.h is no part of the Glibc module.
/// A descriptor to wake a poll with, not inherited and not blocking; -1 on failure.
int lunara_wakeup(void);

// Why: ppoll is behind _GNU_SOURCE; a poll in milliseconds would end early or late by as much.
struct pollfd;
/// Waits for one of the descriptors; a negative timeout waits for ever.
int lunara_poll(struct pollfd *_Nonnull polled, unsigned long count, long long nanoseconds);

// Why: fallbacks of malloc differ by library; glibc keeps an arena a thread and rarely gives memory back by itself.
/// Keeps the process's heap small: two arenas at most, freed memory goes back early.
void lunara_keep_heap_small(void);
/// Keeps freed memory up to so many bytes, and takes allocations up to that size from it, until the heap is kept small again.
void lunara_keep_heap_of(int bytes);
/// Gives freed memory back to the system.
void lunara_trim_heap(void);

// Why: the Glibc module gives RLIMIT_NOFILE another type than setrlimit takes.
/// Lets this process have as many descriptors as it may, at most 8,192: a login allows 1,024 at first, which some
/// hundred strangers' connections would use up. No more than that, as each may hold as much memory as a frame has.
void lunara_allow_descriptors(void);
