/* The library is written in Swift. This module is the header, which its functions are checked against. */
#include "xdnd.h"

_Static_assert(sizeof(xdnd_window) == 4, "an XID has 29 bits");
