#pragma once

#include <sodium.h>

// Nothing needs a shim: what the house uses are plain functions, and the sizes are macros of plain numbers.
