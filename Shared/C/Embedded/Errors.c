#include "CEmbedded.h"

static const unsigned char bytes[] = {
#embed "../../../docs/errors.md"
};

struct lunara_file lunara_errors(void) { return (struct lunara_file){bytes, sizeof bytes}; }
