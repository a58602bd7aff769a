// Calls of the kernel and the C library that Swift cannot import by itself. Nothing here decides anything.
#pragma once

#include <signal.h>
// Why: sys/epoll.h is no part of the Glibc module. Swift imports its functions and constants from here.
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/types.h>

#include "Confinement.h"
#include "DescriptorPassing.h"
#include "Memory.h"
#include "Threads.h"
#include "Wakeup.h"

// Why: `environ` is a global variable, which Swift 6 rightly calls unsafe to read from anywhere.
/// The environment of this process, as `execve` wants it. To be read before other threads change it.
char *_Nullable *_Nonnull lunara_environment(void);

// Why: pipe2 is behind _GNU_SOURCE, which the Glibc module is built without.
/// A pipe whose ends are not inherited by children: `ends[0]` reads, `ends[1]` writes. Both are 10 or more, so that
/// they never stand in the way of the low numbers that a child is given. 0, or an errno.
int lunara_pipe(int ends[_Nonnull 2]);

// Why: accept4 is behind _GNU_SOURCE. With accept and fcntl a child that is started in between inherits the connection.
/// Accepts a connection as a descriptor that does not block and that children do not inherit. -1 on failure.
int lunara_accept(int socket, struct sockaddr *_Nullable address, socklen_t *_Nullable length);

// Why: sys/signalfd.h is no part of the Glibc module.
/// A descriptor that becomes readable when one of `signals` arrives; they are blocked in the calling thread. -1 on
/// failure.
int lunara_signal_descriptor(const int *_Nonnull signals, int count);
/// The same for a program whose other threads run already and may have any of `signals` unblocked, as the main thread of
/// an asynchronous Swift program has: they are caught in whichever thread they arrive. Once a process. -1 on failure.
int lunara_caught_signal_descriptor(const int *_Nonnull signals, int count);
/// The next signal that waits at such a descriptor; 0 where none does.
int lunara_next_signal(int descriptor);

// Why: sys/pidfd.h is no part of the Glibc module.
/// A descriptor that becomes readable when the child `pid` has ended. -1 on failure.
int lunara_process_descriptor(pid_t pid);
/// Sends a signal to the process of such a descriptor; does nothing once it has ended.
void lunara_signal_process(int descriptor, int signal);

// Why: posix_spawn_file_actions_addclosefrom_np is behind _GNU_SOURCE, and the macros of wait(2) do not import.
/// Starts a program in a process group of its own, with no signal blocked or ignored. Its descriptors 0, 1, 2 … are
/// `descriptors`, each itself 10 or more; it inherits no other. 0 with the child's pid, or an errno.
int lunara_spawn(
    pid_t *_Nonnull pid, const char *_Nonnull path, char *_Nullable const *_Nonnull arguments,
    char *_Nullable const *_Nonnull environment, const int *_Nonnull descriptors, int count);
/// Takes note of the end of exactly this child, waiting for it where `waits` is not 0: the exit status, or minus the
/// signal that killed it, is put into `ending`. 1 when it has ended, 0 when it runs, -1 on failure.
int lunara_reap(pid_t pid, int waits, int *_Nonnull ending);

// Why: wcwidth is behind _XOPEN_SOURCE.
/// How many columns of a terminal a character takes: 0, 1 or 2; -1 for a control character.
int lunara_columns(unsigned int scalar);
