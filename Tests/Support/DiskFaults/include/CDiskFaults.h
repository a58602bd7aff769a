// Makes requests to the file system fail in this process, below one folder, as a disk or a share does.
#pragma once

#include <stdint.h>

/// The kinds of requests.
enum {
  lunara_fault_open = 0,
  lunara_fault_status = 1,
  lunara_fault_list = 2,
  lunara_fault_read = 3,
};

/// Returns the error number with which a request for a path, given from the folder on, fails; 0 for one that is carried
/// out. It is called on the thread of the request.
typedef int32_t (*lunara_fault_decision)(int32_t request, const char *_Nonnull path);

/// Has `decide` called for each request at or below a folder, or for none where it is NULL. The folder has to stay in
/// memory.
void lunara_fail_requests(const char *_Nonnull folder, lunara_fault_decision _Nullable decide);

/// Gives the regular files at or below a folder a few inode numbers that depend on `mount`, as a file system does that
/// numbers files anew after each mount; 0 leaves them as they are. The folder has to stay in memory.
void lunara_number_files(const char *_Nonnull folder, uint64_t mount);
