#define _GNU_SOURCE
#include "Threads.h"

#include <pthread.h>
#include <string.h>

void lunara_name_thread(const char *name) {
  char kept[16] = {0};
  strncpy(kept, name, sizeof kept - 1);
  pthread_setname_np(pthread_self(), kept);
}
