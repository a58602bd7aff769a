#define _GNU_SOURCE
#include "Confinement.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/time.h>

void lunara_limit_resources(unsigned long long memory, unsigned long long file) {
  const struct rlimit room = {memory, memory}, length = {file, file}, none = {0, 0};
  setrlimit(RLIMIT_AS, &room);
  setrlimit(RLIMIT_FSIZE, &length);
  setrlimit(RLIMIT_CORE, &none);
  signal(SIGXFSZ, SIG_IGN);
}

void lunara_lower_priority(int nice) { setpriority(PRIO_PROCESS, 0, nice); }

int lunara_leave_namespaces(void) {
  return unshare(CLONE_NEWUSER | CLONE_NEWNET | CLONE_NEWNS | CLONE_NEWIPC | CLONE_NEWUTS) == 0 ? 0 : errno;
}

void lunara_limit_processor_time(int seconds) {
  const struct itimerval limit = {.it_value = {.tv_sec = seconds}};
  setitimer(ITIMER_PROF, &limit, NULL);
}

void lunara_refuse_inspection(void) { prctl(PR_SET_DUMPABLE, 0, 0, 0, 0); }

int lunara_is_inspectable(void) { return prctl(PR_GET_DUMPABLE, 0, 0, 0, 0) == 1; }

void lunara_end_with_parent(void) { prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0); }

void lunara_bound_decoder(unsigned long long memory) {
  const struct rlimit data = {memory, memory}, none = {0, 0};
  setrlimit(RLIMIT_DATA, &data);
  setrlimit(RLIMIT_CORE, &none);
  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  lunara_end_with_parent();
}
