// The functions of gdk-pixbuf that the tools call, in the format of functions.h.

FUNCTION(GdkPixbuf *, gdk_pixbuf_apply_embedded_orientation, (GdkPixbuf *src), (src))
FUNCTION(int, gdk_pixbuf_get_bits_per_sample, (const GdkPixbuf *pixbuf), (pixbuf))
FUNCTION(GdkPixbufFormat *, gdk_pixbuf_get_file_info, (const char *filename, int *width, int *height),
         (filename, width, height))
FUNCTION(int, gdk_pixbuf_get_height, (const GdkPixbuf *pixbuf), (pixbuf))
FUNCTION(int, gdk_pixbuf_get_n_channels, (const GdkPixbuf *pixbuf), (pixbuf))
FUNCTION(const char *, gdk_pixbuf_get_option, (GdkPixbuf *pixbuf, const char *key), (pixbuf, key))
FUNCTION(unsigned char *, gdk_pixbuf_get_pixels, (const GdkPixbuf *pixbuf), (pixbuf))
FUNCTION(int, gdk_pixbuf_get_rowstride, (const GdkPixbuf *pixbuf), (pixbuf))
FUNCTION(int, gdk_pixbuf_get_width, (const GdkPixbuf *pixbuf), (pixbuf))
FUNCTION(GdkPixbuf *, gdk_pixbuf_new,
         (GdkColorspace colorspace, int has_alpha, int bits_per_sample, int width, int height),
         (colorspace, has_alpha, bits_per_sample, width, height))
FUNCTION(GdkPixbuf *, gdk_pixbuf_new_from_file, (const char *filename, GError **error), (filename, error))
FUNCTION(GdkPixbuf *, gdk_pixbuf_new_from_file_at_scale,
         (const char *filename, int width, int height, int preserve_aspect_ratio, GError **error),
         (filename, width, height, preserve_aspect_ratio, error))
FUNCTION(int, gdk_pixbuf_savev,
         (GdkPixbuf *pixbuf, const char *filename, const char *type, char **option_keys, char **option_values,
          GError **error),
         (pixbuf, filename, type, option_keys, option_values, error))
FUNCTION(GdkPixbuf *, gdk_pixbuf_scale_simple,
         (const GdkPixbuf *src, int dest_width, int dest_height, GdkInterpType interp_type),
         (src, dest_width, dest_height, interp_type))
