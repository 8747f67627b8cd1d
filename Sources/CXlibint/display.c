#include "CXlibint.h"

#include <X11/Xlibint.h>

unsigned long XDnDResourceMask(Display *display) { return display->resource_mask; }

unsigned long XDnDResourceBase(Display *display) { return display->resource_base; }
