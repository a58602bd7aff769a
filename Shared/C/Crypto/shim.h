#pragma once

#include <openssl/evp.h>

// Nothing needs a shim: the house uses the digests, which are plain functions.
