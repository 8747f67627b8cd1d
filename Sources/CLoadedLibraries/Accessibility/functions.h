// The functions that accessible.c calls.
//
//   FUNCTION(result, name, parameters)

FUNCTION(GType, g_type_register_static_simple,
  (GType parent_type, const gchar *type_name, guint class_size, GClassInitFunc class_init, guint instance_size,
   GInstanceInitFunc instance_init, GTypeFlags flags))
FUNCTION(void, g_type_add_interface_static, (GType instance_type, GType interface_type, const GInterfaceInfo *info))
FUNCTION(void, g_type_query, (GType type, GTypeQuery *query))
FUNCTION(gpointer, g_type_class_ref, (GType type))
FUNCTION(gpointer, g_object_new, (GType object_type, const gchar *first_property_name, ...))
FUNCTION(gpointer, g_object_ref, (gpointer object))
FUNCTION(void, g_object_unref, (gpointer object))
FUNCTION(void, g_signal_emit_by_name, (gpointer instance, const gchar *detailed_signal, ...))
FUNCTION(guint, g_signal_lookup, (const gchar *name, GType itype))
FUNCTION(gboolean, g_main_context_iteration, (GMainContext *context, gboolean may_block))
FUNCTION(guint, g_unix_fd_add,
  (gint fd, GIOCondition condition, GUnixFDSourceFunc function, gpointer user_data))
FUNCTION(guint, g_log_set_handler,
  (const gchar *log_domain, GLogLevelFlags log_levels, GLogFunc log_func, gpointer user_data))

FUNCTION(GType, atk_object_get_type, (void))
FUNCTION(GType, atk_util_get_type, (void))
FUNCTION(GType, atk_component_get_type, (void))
FUNCTION(GType, atk_action_get_type, (void))
FUNCTION(GType, atk_selection_get_type, (void))
FUNCTION(GType, atk_value_get_type, (void))
FUNCTION(GType, atk_window_get_type, (void))
FUNCTION(void, atk_object_set_name, (AtkObject *accessible, const gchar *name))
FUNCTION(void, atk_object_set_description, (AtkObject *accessible, const gchar *description))
FUNCTION(void, atk_object_set_role, (AtkObject *accessible, AtkRole role))
FUNCTION(void, atk_object_set_parent, (AtkObject *accessible, AtkObject *parent))
FUNCTION(void, atk_object_notify_state_change, (AtkObject *accessible, guint64 state, gboolean value))
FUNCTION(AtkStateSet *, atk_state_set_new, (void))
FUNCTION(gboolean, atk_state_set_add_state, (AtkStateSet *set, AtkStateType type))
FUNCTION(AtkRange *, atk_range_new, (gdouble lower_limit, gdouble upper_limit, const gchar *description))

FUNCTION(int, atk_bridge_adaptor_init, (int *argc, char ***argv))
FUNCTION(void, atk_bridge_adaptor_cleanup, (void))
