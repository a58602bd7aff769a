#pragma once

#include <asffile.h>

/// Puts the values of each attribute of a Windows Media file into their order.
///
/// Programs write the first value of an attribute into the Extended Content Description Object, which has room for one,
/// and the others into the Metadata Library Object ("Advanced Systems Format Specification", sections 3.11 and 4.8).
/// TagLib gives the values in the order in which the objects stand in the file, which is often the other one.
void orderValues(TagLib::ASF::File &file);
