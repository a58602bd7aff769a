#pragma once

#include <sys/types.h>

// Why: the Glibc module gives the resources and PRIO_PROCESS other types than setrlimit and setpriority take, and
// leaves out unshare, which is behind _GNU_SOURCE.
/// Limits the bytes that this process may address and those of a file that it writes, and lets it leave no core. A
/// write beyond the second limit fails with EFBIG.
void lunara_limit_resources(unsigned long long memory, unsigned long long file);
/// Lowers the priority of the calling thread, and of those that it starts from then on, to the nice value.
void lunara_lower_priority(int nice);
/// Moves this process, which must have one thread, into new namespaces: of users, network, mounts, IPC and names of the
/// host. Returns 0, or an errno where the kernel or the unit allows none.
int lunara_leave_namespaces(void);
/// Makes the kernel end this process when it has used so many seconds of processor time from now on; 0 for never.
void lunara_limit_processor_time(int seconds);
/// Refuses debuggers and other processes of the same user this process's memory and environment, and lets it leave no
/// core. The files of /proc/PID belong to root from then on; those that everybody may read stay readable. A program that
/// is started by execve begins without this.
void lunara_refuse_inspection(void);
/// Returns 1 unless the memory of this process was refused to others.
int lunara_is_inspectable(void);
/// Limits a process that decodes what strangers have made and needs the sound card: so many bytes of memory of its own,
/// no core, no rights that programs give to those who start them; and it ends with the thread that started it.
void lunara_bound_decoder(unsigned long long memory);
/// Ends this process with the thread that started it.
void lunara_end_with_parent(void);

// Why: Landlock has no functions in the C library, and what happens between fork and execve has to be in C.
/// The version of the kernel's Landlock; 0 where it has none.
int lunara_landlock_version(void);
/// Leaves this thread, and those and the processes that it starts, only some files and folders: `readable` are read,
/// `writable` are read and written, also by the calls of devices, and in folders among these files and sockets are made
/// and removed; in the folders of `meetings` sockets are made and anything but folders is removed; /dev/null is written.
/// What a kernel's version can refuse beyond that is refused as well: ports to listen at, and signals and abstract
/// sockets to other processes. 0, or an errno: ENOSYS where the kernel has no Landlock.
int lunara_confine_files(
    char *_Nullable const *_Nonnull readable, char *_Nullable const *_Nonnull writable,
    char *_Nullable const *_Nonnull meetings);
/// Starts a program as `lunara_spawn` does, which reads and runs only the files and folders of `readable`, writes none
/// but /dev/null, and makes only the system calls that a filter of `length` bytes allows. It leaves no core, gets no
/// rights that programs give to those who start them, has `memory` bytes of data and `seconds` of processor time at
/// most, and ends with the thread that started it. 0 with the child's pid, or an errno: ENOSYS where the kernel has no
/// Landlock.
int lunara_spawn_reader(
    pid_t *_Nonnull pid, const char *_Nonnull path, char *_Nullable const *_Nonnull arguments,
    char *_Nullable const *_Nonnull environment, const int *_Nonnull descriptors, int count,
    char *_Nullable const *_Nonnull readable, const void *_Nonnull filter, unsigned length, unsigned long long memory,
    int seconds);
