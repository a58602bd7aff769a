#include "CEmbedded.h"

static const unsigned char bytes[] = {
#embed "../../../Services/Discovery/Taxonomy/taxonomy.json"
};

struct lunara_file lunara_taxonomy(void) { return (struct lunara_file){bytes, sizeof bytes}; }
