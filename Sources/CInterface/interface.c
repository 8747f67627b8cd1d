/* The functions that return constants of the header. All others are written in Swift, and checked against it. */
#include "xdnd.h"

_Static_assert(sizeof(xdnd_window) == 4, "an XID has 29 bits");

uint32_t xdnd_version(void) { return XDND_VERSION; }

const char *xdnd_version_text(void) { return XDND_VERSION_TEXT; }
