#ifndef XDND_CXDISPLAY_H
#define XDND_CXDISPLAY_H

// What the server has told a connection when it was opened, and no request tells later. Xlib keeps it in its `Display`
// and shows it to extensions, through Xlibint.h: macros, and the inside of a `Display`. So this is C, as CXShape is.

// Xlib.h is left to CX11: Swift would not know which of the two modules its types come from.

struct _XDisplay;

/// The bits of a resource id that its client chooses, `resource-id-mask` in the X11 protocol. All other bits are the
/// client's own, so they tell the resources of one client from those of another.
unsigned long XDnDResourceMask(struct _XDisplay *display);

#endif
