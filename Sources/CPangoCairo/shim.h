#ifndef XDND_CPANGOCAIRO_SHIM_H
#define XDND_CPANGOCAIRO_SHIM_H

/* First, so that the types of Xlib, which cairo-xlib.h mentions, are those of the module CX11 and not copies. */
#include "../CX11/shim.h"

#include <cairo.h>
#include <cairo-xlib.h>
#include <pango/pangocairo.h>
#include <fontconfig/fontconfig.h>
#include <glib.h>

#endif
