#pragma once

#include <JavaScriptCore/JavaScript.h>
#include <stdbool.h>

// Frees memory at once. The public function only asks for it later, from a main loop that a process of ours does not have.
void JSSynchronousGarbageCollectForDebugging(JSContextRef context);

// The engine exports this function and declares it in no public header. Without it a loop in a script could only be
// ended together with its process.
typedef bool (*JSShouldTerminateCallback)(JSContextRef context, void *data);
void JSContextGroupSetExecutionTimeLimit(JSContextGroupRef group, double limit, JSShouldTerminateCallback callback,
                                         void *data);
