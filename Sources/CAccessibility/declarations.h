// The declarations of GLib, GObject, ATK and its bridge that accessible.c uses, compatible with the real headers.

#include <stddef.h>

typedef size_t GType;
typedef void *gpointer;
typedef const void *gconstpointer;
typedef int gboolean;
typedef int gint;
typedef unsigned guint;
typedef unsigned short guint16;
typedef char gchar;
typedef double gdouble;
typedef unsigned gunichar;
typedef unsigned long guint64;

typedef struct _GObject GObject;
typedef struct _GSList GSList;
typedef struct _GValue GValue;
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
typedef struct _AtkText AtkText;
typedef struct _AtkEditableText AtkEditableText;
typedef struct _AtkValue AtkValue;
typedef enum { ATK_LAYER_WIDGET = 3, ATK_LAYER_WINDOW = 7 } AtkLayer;
typedef enum { ATK_XY_SCREEN = 0, ATK_XY_PARENT = 2 } AtkCoordType;
typedef enum { ATK_TEXT_BOUNDARY_CHAR = 0, ATK_TEXT_BOUNDARY_WORD_END = 2 } AtkTextBoundary;
typedef enum { ATK_TEXT_GRANULARITY_CHAR = 0, ATK_TEXT_GRANULARITY_WORD = 1 } AtkTextGranularity;

// The tables of functions. Those that accessible.c does not set have no type.

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

typedef struct _AtkTextIface {
  GTypeInterface parent;
  gchar *(*get_text)(AtkText *text, gint start_offset, gint end_offset);
  void *get_text_after_offset;
  gchar *(*get_text_at_offset)(
    AtkText *text, gint offset, AtkTextBoundary boundary_type, gint *start_offset, gint *end_offset);
  gunichar (*get_character_at_offset)(AtkText *text, gint offset);
  void *get_text_before_offset;
  gint (*get_caret_offset)(AtkText *text);
  void *get_run_attributes, *get_default_attributes, *get_character_extents;
  gint (*get_character_count)(AtkText *text);
  void *get_offset_at_point;
  gint (*get_n_selections)(AtkText *text);
  gchar *(*get_selection)(AtkText *text, gint selection_num, gint *start_offset, gint *end_offset);
  gboolean (*add_selection)(AtkText *text, gint start_offset, gint end_offset);
  gboolean (*remove_selection)(AtkText *text, gint selection_num);
  gboolean (*set_selection)(AtkText *text, gint selection_num, gint start_offset, gint end_offset);
  gboolean (*set_caret_offset)(AtkText *text, gint offset);
  void *text_changed, *text_caret_moved, *text_selection_changed, *text_attributes_changed, *get_range_extents,
    *get_bounded_ranges;
  gchar *(*get_string_at_offset)(
    AtkText *text, gint offset, AtkTextGranularity granularity, gint *start_offset, gint *end_offset);
} AtkTextIface;

typedef struct _AtkEditableTextIface {
  GTypeInterface parent_interface;
  void *set_run_attributes;
  void (*set_text_contents)(AtkEditableText *text, const gchar *string);
  void (*insert_text)(AtkEditableText *text, const gchar *string, gint length, gint *position);
  void *copy_text, *cut_text;
  void (*delete_text)(AtkEditableText *text, gint start_pos, gint end_pos);
} AtkEditableTextIface;

typedef struct _AtkValueIface {
  GTypeInterface parent;
  void *get_current_value, *get_maximum_value, *get_minimum_value, *set_current_value, *get_minimum_increment;
  void (*get_value_and_text)(AtkValue *obj, gdouble *value, gchar **text);
  AtkRange *(*get_range)(AtkValue *obj);
} AtkValueIface;
