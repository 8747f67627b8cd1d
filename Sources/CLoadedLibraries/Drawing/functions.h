// The loaded functions of cairo, pango and GLib: FUNCTION(result, name, parameters, arguments). Included with several
// definitions of that macro, to declare, load and define the functions.

FUNCTION(void, cairo_arc, (cairo_t *cr, double xc, double yc, double radius, double angle1, double angle2),
         (cr, xc, yc, radius, angle1, angle2))
FUNCTION(void, cairo_clip, (cairo_t *cr), (cr))
FUNCTION(void, cairo_close_path, (cairo_t *cr), (cr))
FUNCTION(cairo_t *, cairo_create, (cairo_surface_t *target), (target))
FUNCTION(void, cairo_destroy, (cairo_t *cr), (cr))
FUNCTION(void, cairo_device_to_user, (cairo_t *cr, double *x, double *y), (cr, x, y))
FUNCTION(void, cairo_fill, (cairo_t *cr), (cr))
FUNCTION(cairo_pattern_t *, cairo_get_source, (cairo_t *cr), (cr))
FUNCTION(cairo_surface_t *, cairo_image_surface_create_for_data,
         (unsigned char *data, cairo_format_t format, int width, int height, int stride),
         (data, format, width, height, stride))
FUNCTION(cairo_surface_t *, cairo_image_surface_create_from_png_stream, (cairo_read_func_t read_func, void *closure),
         (read_func, closure))
FUNCTION(int, cairo_image_surface_get_height, (cairo_surface_t *surface), (surface))
FUNCTION(int, cairo_image_surface_get_width, (cairo_surface_t *surface), (surface))
FUNCTION(void, cairo_line_to, (cairo_t *cr, double x, double y), (cr, x, y))
FUNCTION(void, cairo_move_to, (cairo_t *cr, double x, double y), (cr, x, y))
FUNCTION(void, cairo_new_path, (cairo_t *cr), (cr))
FUNCTION(void, cairo_paint, (cairo_t *cr), (cr))
FUNCTION(void, cairo_paint_with_alpha, (cairo_t *cr, double alpha), (cr, alpha))
FUNCTION(void, cairo_pattern_set_filter, (cairo_pattern_t *pattern, cairo_filter_t filter), (pattern, filter))
FUNCTION(void, cairo_pop_group_to_source, (cairo_t *cr), (cr))
FUNCTION(void, cairo_push_group, (cairo_t *cr), (cr))
FUNCTION(void, cairo_rectangle, (cairo_t *cr, double x, double y, double width, double height),
         (cr, x, y, width, height))
FUNCTION(void, cairo_restore, (cairo_t *cr), (cr))
FUNCTION(void, cairo_rotate, (cairo_t *cr, double angle), (cr, angle))
FUNCTION(void, cairo_save, (cairo_t *cr), (cr))
FUNCTION(void, cairo_scale, (cairo_t *cr, double sx, double sy), (cr, sx, sy))
FUNCTION(void, cairo_set_line_cap, (cairo_t *cr, cairo_line_cap_t line_cap), (cr, line_cap))
FUNCTION(void, cairo_set_line_join, (cairo_t *cr, cairo_line_join_t line_join), (cr, line_join))
FUNCTION(void, cairo_set_line_width, (cairo_t *cr, double width), (cr, width))
FUNCTION(void, cairo_set_operator, (cairo_t *cr, cairo_operator_t op), (cr, op))
FUNCTION(void, cairo_set_source_rgba, (cairo_t *cr, double red, double green, double blue, double alpha),
         (cr, red, green, blue, alpha))
FUNCTION(void, cairo_set_source_surface, (cairo_t *cr, cairo_surface_t *surface, double x, double y),
         (cr, surface, x, y))
FUNCTION(void, cairo_stroke, (cairo_t *cr), (cr))
FUNCTION(cairo_surface_t *, cairo_surface_create_similar,
         (cairo_surface_t *other, cairo_content_t content, int width, int height),
         (other, content, width, height))
FUNCTION(void, cairo_surface_destroy, (cairo_surface_t *surface), (surface))
FUNCTION(void, cairo_surface_finish, (cairo_surface_t *surface), (surface))
FUNCTION(void, cairo_surface_flush, (cairo_surface_t *surface), (surface))
FUNCTION(cairo_status_t, cairo_surface_status, (cairo_surface_t *surface), (surface))
FUNCTION(void, cairo_translate, (cairo_t *cr, double tx, double ty), (cr, tx, ty))
FUNCTION(void, cairo_user_to_device, (cairo_t *cr, double *x, double *y), (cr, x, y))
FUNCTION(cairo_surface_t *, cairo_xlib_surface_create,
         (Display *dpy, Drawable drawable, Visual *visual, int width, int height),
         (dpy, drawable, visual, width, height))
FUNCTION(void, cairo_xlib_surface_set_size, (cairo_surface_t *surface, int width, int height), (surface, width, height))

FUNCTION(PangoAttribute *, pango_attr_family_new, (const char *family), (family))
FUNCTION(PangoAttribute *, pango_attr_foreground_new, (unsigned short red, unsigned short green, unsigned short blue),
         (red, green, blue))
FUNCTION(void, pango_attr_list_insert, (PangoAttrList *list, PangoAttribute *attr), (list, attr))
FUNCTION(PangoAttrList *, pango_attr_list_new, (void), ())
FUNCTION(void, pango_attr_list_unref, (PangoAttrList *list), (list))
FUNCTION(PangoAttribute *, pango_attr_scale_new, (double scale_factor), (scale_factor))
FUNCTION(PangoAttribute *, pango_attr_strikethrough_new, (int strikethrough), (strikethrough))
FUNCTION(PangoAttribute *, pango_attr_style_new, (PangoStyle style), (style))
FUNCTION(PangoAttribute *, pango_attr_underline_new, (PangoUnderline underline), (underline))
FUNCTION(PangoAttribute *, pango_attr_weight_new, (PangoWeight weight), (weight))
FUNCTION(PangoFontMap *, pango_cairo_font_map_get_default, (void), ())
FUNCTION(void, pango_cairo_show_layout, (cairo_t *cr, PangoLayout *layout), (cr, layout))
FUNCTION(void, pango_cairo_update_context, (cairo_t *cr, PangoContext *context), (cr, context))
FUNCTION(unsigned int, pango_context_get_serial, (PangoContext *context), (context))
FUNCTION(void, pango_context_set_round_glyph_positions, (PangoContext *context, int round_positions),
         (context, round_positions))
FUNCTION(void, pango_font_description_free, (PangoFontDescription *desc), (desc))
FUNCTION(const char *, pango_font_description_get_family, (const PangoFontDescription *desc), (desc))
FUNCTION(PangoFontDescription *, pango_font_description_new, (void), ())
FUNCTION(void, pango_font_description_set_absolute_size, (PangoFontDescription *desc, double size), (desc, size))
FUNCTION(void, pango_font_description_set_family, (PangoFontDescription *desc, const char *family), (desc, family))
FUNCTION(void, pango_font_description_set_weight, (PangoFontDescription *desc, PangoWeight weight), (desc, weight))
FUNCTION(PangoContext *, pango_font_map_create_context, (PangoFontMap *fontmap), (fontmap))
FUNCTION(void, pango_layout_context_changed, (PangoLayout *layout), (layout))
FUNCTION(int, pango_layout_get_baseline, (PangoLayout *layout), (layout))
FUNCTION(void, pango_layout_get_extents, (PangoLayout *layout, PangoRectangle *ink_rect, PangoRectangle *logical_rect),
         (layout, ink_rect, logical_rect))
FUNCTION(int, pango_layout_get_line_count, (PangoLayout *layout), (layout))
FUNCTION(PangoLayoutLine *, pango_layout_get_line_readonly, (PangoLayout *layout, int line), (layout, line))
FUNCTION(PangoLayout *, pango_layout_new, (PangoContext *context), (context))
FUNCTION(void, pango_layout_set_attributes, (PangoLayout *layout, PangoAttrList *attrs), (layout, attrs))
FUNCTION(void, pango_layout_set_ellipsize, (PangoLayout *layout, PangoEllipsizeMode ellipsize), (layout, ellipsize))
FUNCTION(void, pango_layout_set_font_description, (PangoLayout *layout, const PangoFontDescription *desc),
         (layout, desc))
FUNCTION(void, pango_layout_set_height, (PangoLayout *layout, int height), (layout, height))
FUNCTION(int, pango_layout_get_spacing, (PangoLayout *layout), (layout))
FUNCTION(void, pango_layout_set_spacing, (PangoLayout *layout, int spacing), (layout, spacing))
FUNCTION(void, pango_layout_line_get_extents,
         (PangoLayoutLine *line, PangoRectangle *ink, PangoRectangle *logical), (line, ink, logical))
FUNCTION(void, pango_layout_set_single_paragraph_mode, (PangoLayout *layout, int setting), (layout, setting))
FUNCTION(void, pango_layout_set_text, (PangoLayout *layout, const char *text, int length), (layout, text, length))
FUNCTION(void, pango_layout_set_width, (PangoLayout *layout, int width), (layout, width))
FUNCTION(void, pango_layout_set_wrap, (PangoLayout *layout, PangoWrapMode wrap), (layout, wrap))

FUNCTION(GChecksum *, g_checksum_copy, (const GChecksum *checksum), (checksum))
FUNCTION(void, g_checksum_free, (GChecksum *checksum), (checksum))
FUNCTION(const char *, g_checksum_get_string, (GChecksum *checksum), (checksum))
FUNCTION(GChecksum *, g_checksum_new, (GChecksumType checksum_type), (checksum_type))
FUNCTION(void, g_checksum_update,
         (GChecksum *checksum, const unsigned char *data, ssize_t length), (checksum, data, length))
FUNCTION(void, g_clear_error, (GError **err), (err))
FUNCTION(char *, g_compute_checksum_for_string, (GChecksumType checksum_type, const char *str, ssize_t length),
         (checksum_type, str, length))
FUNCTION(char *, g_filename_to_uri, (const char *filename, const char *hostname, GError **error),
         (filename, hostname, error))
FUNCTION(void, g_free, (void *mem), (mem))
FUNCTION(int, g_mkdir_with_parents, (const char *pathname, int mode), (pathname, mode))
FUNCTION(void, g_object_unref, (void *object), (object))
