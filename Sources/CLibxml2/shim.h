#pragma once
#include <libxml/xmlversion.h>
/* Debian's headers otherwise pull in <unicode/ucnv.h>, whose types clash with Foundation's own ICU.
   Only the tail of xmlCharEncodingHandler depends on it, which Swift code never touches. */
#undef LIBXML_ICU_ENABLED
#include <libxml/SAX2.h>
#include <libxml/encoding.h>
#include <libxml/parser.h>
#include <libxml/parserInternals.h>
#include <libxml/tree.h>
#include <libxml/xmlerror.h>
