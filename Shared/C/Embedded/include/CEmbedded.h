// Files that are compiled into programs. As array literals of Swift, which `.embedInCode` makes, they took over a
// quarter of the compile time of their modules.
#ifndef LUNARA_EMBEDDED_H
#define LUNARA_EMBEDDED_H

#include <stddef.h>

// The bytes of a file; they live as long as the program.
struct lunara_file {
  const unsigned char *bytes;
  size_t count;
};

// docs/errors.md
struct lunara_file lunara_errors(void);

// Services/Discovery/Taxonomy/taxonomy.json
struct lunara_file lunara_taxonomy(void);

// A unit of systemd for one person, by its name.
struct lunara_unit {
  const char *name;
  struct lunara_file file;
};

// deploy/systemd/user
const struct lunara_unit *lunara_units(size_t *count);

#endif
