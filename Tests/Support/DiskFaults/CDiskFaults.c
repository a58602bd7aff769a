// These functions take the place of those of the C library in the whole program that they are linked into.
#define _GNU_SOURCE
#include "CDiskFaults.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *_Atomic folder;
static lunara_fault_decision _Atomic decision;

void lunara_fail_requests(const char *path, lunara_fault_decision decide) {
  atomic_store(&decision, NULL);
  atomic_store(&folder, path);
  atomic_store(&decision, decide);
}

static const char *_Atomic numbered;
static uint64_t _Atomic mount_number;

void lunara_number_files(const char *path, uint64_t mount) {
  atomic_store(&mount_number, 0);
  atomic_store(&numbered, path);
  atomic_store(&mount_number, mount);
}

#define NEXT(name) \
  static __typeof__(&name) next; \
  if (!next) next = (__typeof__(&name))dlsym(RTLD_NEXT, #name)

// Returns true, and sets errno, where a request is to fail.
static int fails(int32_t request, const char *path) {
  lunara_fault_decision decide = atomic_load(&decision);
  const char *below = atomic_load(&folder);
  if (!decide || !below || strncmp(path, below, strlen(below)) != 0) return 0;
  int32_t error = decide(request, path + strlen(below));
  if (error) errno = error;
  return error != 0;
}

// Does the same for a name in an open folder, or for the open file itself where there is no name.
static int fails_at(int32_t request, int descriptor, const char *name) {
  if (!atomic_load(&decision)) return 0;
  if (name && (name[0] == '/' || descriptor == AT_FDCWD)) return fails(request, name);
  char link[64], path[2 * PATH_MAX];
  snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
  ssize_t length = readlink(link, path, PATH_MAX - 1);
  if (length <= 0) return 0;
  path[length] = 0;
  if (name) snprintf(path + length, sizeof path - length, "/%.*s", NAME_MAX, name);
  return fails(request, path);
}

// Replaces the inode number of a file, for a name in a folder.
static void number(struct stat *status, int descriptor, const char *name) {
  uint64_t hash = atomic_load(&mount_number);
  const char *below = atomic_load(&numbered);
  if (!hash || !below || !S_ISREG(status->st_mode)) return;
  char link[64], path[2 * PATH_MAX];
  ssize_t length = 0;
  if (name[0] != '/') {
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    length = readlink(link, path, PATH_MAX - 1);
    if (length <= 0) return;
    path[length++] = '/';
  }
  snprintf(path + length, sizeof path - length, "%s", name);
  if (strncmp(path, below, strlen(below)) != 0) return;
  for (const char *byte = path; *byte; byte++) hash = (hash ^ (unsigned char)*byte) * 0x100000001b3;
  status->st_ino = 1 + hash % 5;
}

int open(const char *path, int flags, ...) {
  NEXT(open);
  va_list list;
  va_start(list, flags);
  mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(list, mode_t) : 0;
  va_end(list);
  return fails(lunara_fault_open, path) ? -1 : next(path, flags, mode);
}

int openat(int descriptor, const char *name, int flags, ...) {
  NEXT(openat);
  va_list list;
  va_start(list, flags);
  mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(list, mode_t) : 0;
  va_end(list);
  return fails_at(lunara_fault_open, descriptor, name) ? -1 : next(descriptor, name, flags, mode);
}

int fstatat(int descriptor, const char *restrict name, struct stat *restrict status, int flags) {
  NEXT(fstatat);
  if (fails_at(lunara_fault_status, descriptor, name)) return -1;
  int result = next(descriptor, name, status, flags);
  if (result == 0) number(status, descriptor, name);
  return result;
}

int stat(const char *restrict path, struct stat *restrict status) {
  NEXT(stat);
  return fails(lunara_fault_status, path) ? -1 : next(path, status);
}

int lstat(const char *restrict path, struct stat *restrict status) {
  NEXT(lstat);
  return fails(lunara_fault_status, path) ? -1 : next(path, status);
}

struct dirent *readdir(DIR *stream) {
  NEXT(readdir);
  int before = errno;
  struct dirent *entry = next(stream);
  // A listing breaks off at an entry of its own, so that it fails in the middle or at the end.
  if (entry && fails_at(lunara_fault_list, dirfd(stream), entry->d_name)) return NULL;
  if (entry) errno = before;
  return entry;
}

ssize_t read(int descriptor, void *bytes, size_t count) {
  NEXT(read);
  return fails_at(lunara_fault_read, descriptor, NULL) ? -1 : next(descriptor, bytes, count);
}

ssize_t pread(int descriptor, void *bytes, size_t count, off_t offset) {
  NEXT(pread);
  return fails_at(lunara_fault_read, descriptor, NULL) ? -1 : next(descriptor, bytes, count, offset);
}
