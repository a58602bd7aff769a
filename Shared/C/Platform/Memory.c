#define _GNU_SOURCE
#include "Memory.h"

#include <link.h>
#include <malloc.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

void lunara_keep_heap_small(void) {
  mallopt(M_ARENA_MAX, 2);
  mallopt(M_TRIM_THRESHOLD, 128 * 1024);
  mallopt(M_MMAP_THRESHOLD, 128 * 1024);
}

void lunara_keep_heap_of(int bytes) {
  mallopt(M_TRIM_THRESHOLD, bytes);
  mallopt(M_MMAP_THRESHOLD, bytes);
}

void lunara_trim_heap(void) { malloc_trim(0); }

// Only segments that cannot be written are released: they hold nothing but what is in the file.
static int release_code_of(struct dl_phdr_info *object, size_t size, void *context) {
  (void)size, (void)context;
  uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
  for (int i = 0; i < object->dlpi_phnum; i++) {
    const ElfW(Phdr) *segment = &object->dlpi_phdr[i];
    if (segment->p_type != PT_LOAD || !(segment->p_flags & PF_X) || segment->p_flags & PF_W) continue;
    uintptr_t begin = (object->dlpi_addr + segment->p_vaddr + page - 1) & ~(page - 1);
    uintptr_t end = (object->dlpi_addr + segment->p_vaddr + segment->p_filesz) & ~(page - 1);
    if (end > begin) madvise((void *)begin, end - begin, MADV_DONTNEED);
  }
  return 0;
}

void lunara_release_code(void) { dl_iterate_phdr(release_code_of, NULL); }
