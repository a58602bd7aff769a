#pragma once

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
