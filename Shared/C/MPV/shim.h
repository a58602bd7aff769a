#pragma once

#include <mpv/client.h>
