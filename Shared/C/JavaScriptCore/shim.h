#pragma once

#include <JavaScriptCore/JavaScript.h>
#include <stdbool.h>

// The engine exports this function and declares it in no public header. Without it a loop in a script could only be
// ended together with its process.
typedef bool (*JSShouldTerminateCallback)(JSContextRef context, void *data);
void JSContextGroupSetExecutionTimeLimit(JSContextGroupRef group, double limit, JSShouldTerminateCallback callback,
                                         void *data);
