#pragma once

#include <libxml/HTMLparser.h>
#include <libxml/tree.h>

// The library's function is a variable, which Swift does not let several threads read.
static inline void lunara_xml_free(xmlChar *text) { xmlFree(text); }
