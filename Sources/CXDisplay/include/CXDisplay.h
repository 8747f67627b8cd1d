#ifndef XDND_CXDISPLAY_H
#define XDND_CXDISPLAY_H

// Connection setup data that no request returns. Xlib keeps it in the private part of `Display`, which only extensions
// see, through Xlibint.h. That header has macros that Swift cannot import, so this is C, like CXShape.

// Does not include Xlib.h: its types would then belong to two modules, this one and CX11.

struct _XDisplay;

/// Returns the bits of a resource id that its client chooses: `resource-id-mask` in the X11 protocol. The other bits
/// are the same for all resources of a client, so they identify the client.
unsigned long XDnDResourceMask(struct _XDisplay *display);

#endif
