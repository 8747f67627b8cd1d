#include "CXlibint.h"

#include <X11/Xlibint.h>

void XDnDChangeProperty(
    Display *dpy, Window window, Atom property, Atom type, int format, int mode, const void *elements, size_t count) {
  xChangePropertyReq request = {
      .reqType = X_ChangeProperty,
      .mode = (CARD8)mode,
      .window = (CARD32)window,
      .property = (CARD32)property,
      .type = (CARD32)type,
      .format = (CARD8)format,
      .nUnits = (CARD32)count,
  };
  XDnDSend(dpy, &request, sizeof(request), elements, count * ((size_t)format / 8));
}
