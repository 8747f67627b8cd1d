#ifndef XDND_LOADED_DRAWING_H
#define XDND_LOADED_DRAWING_H

// The declarations of the loaded parts of cairo, pango, fontconfig, GLib and gdk-pixbuf, compatible with the real
// headers. loader.c loads the libraries on demand, so building needs neither them nor their headers.
//
// scripts/check-declarations compares these declarations with the real headers.

// First, so that the types of Xlib are those of the module XDnDX11 and not copies.
#include "../../CX11/shim.h"

#include <sys/types.h>

typedef struct _cairo cairo_t;
typedef struct _cairo_pattern cairo_pattern_t;
typedef struct _cairo_surface cairo_surface_t;
typedef enum _cairo_content { CAIRO_CONTENT_COLOR = 0x1000 } cairo_content_t;
typedef enum _cairo_filter { CAIRO_FILTER_GOOD = 1 } cairo_filter_t;
typedef enum _cairo_format { CAIRO_FORMAT_ARGB32 = 0 } cairo_format_t;
typedef enum _cairo_line_cap { CAIRO_LINE_CAP_ROUND = 1 } cairo_line_cap_t;
typedef enum _cairo_line_join { CAIRO_LINE_JOIN_ROUND = 1 } cairo_line_join_t;
typedef enum _cairo_operator { CAIRO_OPERATOR_SOURCE = 1 } cairo_operator_t;
typedef enum _cairo_status { CAIRO_STATUS_SUCCESS = 0, CAIRO_STATUS_READ_ERROR = 10 } cairo_status_t;
typedef cairo_status_t (*cairo_read_func_t)(void *closure, unsigned char *data, unsigned int length);

typedef struct _PangoAttrList PangoAttrList;
// The beginning of the real structure, which only pango allocates.
typedef struct _PangoAttribute {
  const void *klass;
  unsigned int start_index, end_index;
} PangoAttribute;
typedef struct _PangoContext PangoContext;
typedef struct _PangoFontDescription PangoFontDescription;
typedef struct _PangoFontMap PangoFontMap;
typedef struct _PangoLayout PangoLayout;
// The beginning of the real structure, which only pango allocates.
typedef struct _PangoLayoutLine {
  PangoLayout *layout;
  int start_index, length;
} PangoLayoutLine;
typedef struct _PangoRectangle {
  int x, y, width, height;
} PangoRectangle;
typedef enum {
  PANGO_ELLIPSIZE_NONE = 0,
  PANGO_ELLIPSIZE_END = 3,
} PangoEllipsizeMode;
typedef enum { PANGO_STYLE_ITALIC = 2 } PangoStyle;
typedef enum { PANGO_UNDERLINE_SINGLE = 1 } PangoUnderline;
typedef enum { PANGO_WEIGHT_BOLD = 700 } PangoWeight;
typedef enum { PANGO_WRAP_WORD_CHAR = 2 } PangoWrapMode;
/// Pango units per cairo unit.
enum { PANGO_SCALE = 1024 };

int FcInit(void);

typedef struct _GChecksum GChecksum;
typedef struct _GError GError;
typedef enum {
  G_CHECKSUM_MD5 = 0,
  G_CHECKSUM_SHA256 = 2,
} GChecksumType;

typedef struct _GdkPixbuf GdkPixbuf;
typedef struct _GdkPixbufFormat GdkPixbufFormat;
typedef enum { GDK_COLORSPACE_RGB = 0 } GdkColorspace;
typedef enum { GDK_INTERP_BILINEAR = 2 } GdkInterpType;

/// Whether cairo and pango are installed. Without them, a call to their functions ends the program.
int XDnDHasDrawing(void);

/// Loads gdk-pixbuf. Returns 0 if it is missing; its functions must not be called then.
int XDnDLoadPixbuf(void);

#define FUNCTION(result, name, parameters, arguments) result name parameters;
#include "../Drawing/functions.h"
#include "../Drawing/pixbuf.h"
#undef FUNCTION

#endif
