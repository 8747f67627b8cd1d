// The declarations of GLib, GObject, ATK and its bridge that accessible.c uses, compatible with the real headers.

#include <stddef.h>

typedef size_t GType;
typedef void *gpointer;
typedef int gboolean;
typedef int gint;
typedef unsigned guint;
typedef char gchar;
typedef double gdouble;
typedef unsigned long guint64;

typedef struct _GObject GObject;
typedef struct _GSList GSList;
typedef struct _GMainContext GMainContext;

typedef struct _GTypeClass {
  GType g_type;
} GTypeClass;
typedef struct _GTypeInterface {
  GType g_type;
  GType g_instance_type;
} GTypeInterface;
typedef struct _GTypeQuery {
  GType type;
  const gchar *type_name;
  guint class_size;
  guint instance_size;
} GTypeQuery;
typedef void (*GClassInitFunc)(gpointer g_class, gpointer class_data);
typedef void (*GInstanceInitFunc)(void *instance, gpointer g_class);
typedef void (*GInterfaceInitFunc)(gpointer g_iface, gpointer iface_data);
typedef struct _GInterfaceInfo {
  GInterfaceInitFunc interface_init;
  void *interface_finalize;
  gpointer interface_data;
} GInterfaceInfo;
typedef struct _GObjectClass {
  GTypeClass g_type_class;
  GSList *construct_properties;
  void *constructor, *set_property, *get_property, *dispose;
  void (*finalize)(GObject *object);
  void *dispatch_properties_changed, *notify, *constructed;
  size_t flags, n_construct_properties;
  gpointer pspecs;
  size_t n_pspecs;
  gpointer pdummy[3];
} GObjectClass;
typedef enum { G_TYPE_FLAG_NONE = 0 } GTypeFlags;
typedef enum { G_IO_IN = 1 } GIOCondition;
typedef gboolean (*GUnixFDSourceFunc)(gint fd, GIOCondition condition, gpointer user_data);
typedef enum { G_LOG_LEVEL_MASK = ~3 } GLogLevelFlags;
typedef void (*GLogFunc)(const gchar *domain, GLogLevelFlags level, const gchar *message, gpointer user_data);

typedef struct _AtkObject AtkObject;
typedef struct _AtkStateSet AtkStateSet;
typedef struct _AtkRange AtkRange;
typedef struct _AtkComponent AtkComponent;
typedef struct _AtkAction AtkAction;
typedef struct _AtkSelection AtkSelection;
typedef struct _AtkValue AtkValue;
typedef enum { ATK_LAYER_WIDGET = 3, ATK_LAYER_WINDOW = 7 } AtkLayer;
typedef enum { ATK_XY_SCREEN = 0, ATK_XY_PARENT = 2 } AtkCoordType;

// The tables of functions. Functions that accessible.c does not set are untyped pointers.

typedef struct _AtkObjectClass {
  GObjectClass parent;
  void *get_name, *get_description, *get_parent;
  gint (*get_n_children)(AtkObject *accessible);
  AtkObject *(*ref_child)(AtkObject *accessible, gint i);
  gint (*get_index_in_parent)(AtkObject *accessible);
  void *ref_relation_set, *get_role;
  AtkLayer (*get_layer)(AtkObject *accessible);
  void *get_mdi_zorder;
  AtkStateSet *(*ref_state_set)(AtkObject *accessible);
} AtkObjectClass;

typedef struct _AtkUtilClass {
  GObjectClass parent;
  void *add_global_event_listener, *remove_global_event_listener, *add_key_event_listener, *remove_key_event_listener;
  AtkObject *(*get_root)(void);
  const gchar *(*get_toolkit_name)(void);
  const gchar *(*get_toolkit_version)(void);
} AtkUtilClass;

typedef struct _AtkComponentIface {
  GTypeInterface parent;
  void *add_focus_handler, *contains, *ref_accessible_at_point;
  void (*get_extents)(
    AtkComponent *component, gint *x, gint *y, gint *width, gint *height, AtkCoordType coord_type);
  void *get_position, *get_size;
  gboolean (*grab_focus)(AtkComponent *component);
} AtkComponentIface;

typedef struct _AtkActionIface {
  GTypeInterface parent;
  gboolean (*do_action)(AtkAction *action, gint i);
  gint (*get_n_actions)(AtkAction *action);
  void *get_description;
  const gchar *(*get_name)(AtkAction *action, gint i);
  const gchar *(*get_keybinding)(AtkAction *action, gint i);
} AtkActionIface;

typedef struct _AtkSelectionIface {
  GTypeInterface parent;
  gboolean (*add_selection)(AtkSelection *selection, gint i);
  gboolean (*clear_selection)(AtkSelection *selection);
  AtkObject *(*ref_selection)(AtkSelection *selection, gint i);
  gint (*get_selection_count)(AtkSelection *selection);
  gboolean (*is_child_selected)(AtkSelection *selection, gint i);
  gboolean (*remove_selection)(AtkSelection *selection, gint i);
  gboolean (*select_all_selection)(AtkSelection *selection);
} AtkSelectionIface;

typedef struct _AtkValueIface {
  GTypeInterface parent;
  void *get_current_value, *get_maximum_value, *get_minimum_value, *set_current_value, *get_minimum_increment;
  void (*get_value_and_text)(AtkValue *obj, gdouble *value, gchar **text);
  AtkRange *(*get_range)(AtkValue *obj);
} AtkValueIface;
