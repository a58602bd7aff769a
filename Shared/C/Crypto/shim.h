#pragma once

#include <openssl/evp.h>

// Nothing needs a shim: the house uses the one-shot digest, which is a plain function.
