#pragma once

// Why: fallbacks of malloc differ by library; glibc keeps an arena a thread and rarely gives memory back by itself.
/// Keeps the process's heap small: two arenas at most, freed memory goes back early.
void lunara_keep_heap_small(void);
/// Keeps freed memory up to so many bytes, and takes allocations up to that size from it, until the heap is kept small again.
void lunara_keep_heap_of(int bytes);
/// Gives freed memory back to the system.
void lunara_trim_heap(void);

// Why: dl_iterate_phdr and madvise's advice are no part of the Glibc module, and the segments are an array in C.
/// Unmaps the code that this process has run so far, the program's and its libraries'. What is run again is mapped again
/// from the page cache, so what stays mapped is the code in use; the rest is the first that the kernel drops.
void lunara_release_code(void);
