#pragma once

// Why: sys/eventfd.h is no part of the Glibc module.
/// A descriptor to wake a poll with, not inherited and not blocking; -1 on failure.
int lunara_wakeup(void);

// Why: ppoll is behind _GNU_SOURCE; a poll in milliseconds would end early or late by as much.
struct pollfd;
/// Waits for one of the descriptors; a negative timeout waits for ever.
int lunara_poll(struct pollfd *_Nonnull polled, unsigned long count, long long nanoseconds);

// Why: the Glibc module gives RLIMIT_NOFILE another type than setrlimit takes.
/// Lets this process have as many descriptors as it may, at most 8,192: a login allows 1,024 at first, which some
/// hundred strangers' connections would use up. No more than that, as each may hold as much memory as a frame has.
void lunara_allow_descriptors(void);
