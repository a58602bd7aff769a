#pragma once

// Why: pthread_setname_np is behind _GNU_SOURCE, which the Glibc module is built without.
/// Names the calling thread for `ps -L` and debuggers; the first 15 bytes count.
void lunara_name_thread(const char *_Nonnull name);
