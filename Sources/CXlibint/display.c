#include "CXlibint.h"

#include <X11/Xlibint.h>
#include <stdatomic.h>

unsigned long XDnDResourceMask(Display *display) { return display->resource_mask; }

int XDnDFirstSerial(Display *display, unsigned long *serial) {
  LockDisplay(display);
  const _XQEvent *first = display->head;
  if (first != NULL) *serial = first->event.xany.serial;
  UnlockDisplay(display);
  return first != NULL;
}

static _Atomic(XDnDDisplayClosed) XDnDOnClose;

static int XDnDCloseDisplay(Display *display, XExtCodes *codes) {
  XDnDDisplayClosed closed = atomic_load(&XDnDOnClose);
  (void)codes;
  if (closed != NULL) closed(display);
  return 0;
}

void XDnDObserveClose(Display *display, XDnDDisplayClosed closed) {
  XExtCodes *codes = XAddExtension(display);
  if (codes == NULL) return;
  atomic_store(&XDnDOnClose, closed);
  (void)XESetCloseDisplay(display, codes->extension, XDnDCloseDisplay);
}

void XDnDDiscardOutput(Display *display) { display->bufptr = display->buffer; }
