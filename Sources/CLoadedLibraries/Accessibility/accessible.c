// ATK objects with content that Swift sets. Assistive technology reads it here, without asking the tool, so it gets
// answers even while the tool is busy.

#include "accessibility.h"
#include "declarations.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct {
#define FUNCTION(result, name, parameters) result(*name) parameters;
#include "functions.h"
#undef FUNCTION
} atk;

static int load(void) {
  // The other libraries are its dependencies; dlsym searches them too.
  void *library = dlopen("libatk-bridge-2.0.so.0", RTLD_LAZY | RTLD_LOCAL);
  if (library == NULL) return 0;
#define FUNCTION(result, name, parameters) \
  if ((atk.name = (__typeof__(atk.name))dlsym(library, #name)) == NULL) return 0;
#include "functions.h"
#undef FUNCTION
  return 1;
}

/// The content of an object. Allocated apart from its `AtkObject`, whose size is not known at build time.
struct XDnDAccessible {
  int64_t id;
  AtkObject *object;
  XDnDAccessible *parent;
  XDnDAccessible **children;
  int count;
  int index;
  uint64_t states;
  AtkLayer layer;
  int x, y, width, height;
  char *action, *key;
  double value;
};

static struct {
  XDnDAccessible *root;
  int x, y;
  void *context;
  void (*request)(void *, int64_t, XDnDAccessibleRequest, int);
  /// The offset in an instance of the pointer to its `XDnDAccessible`.
  guint offset;
  GType types[16];
} application;

static XDnDAccessible **slot(gpointer object) { return (XDnDAccessible **)((char *)object + application.offset); }
/// The content of removed objects, which assistive technology may still hold.
static XDnDAccessible empty = {.id = -1, .index = -1, .action = "", .key = ""};
static XDnDAccessible *content(gpointer object) {
  XDnDAccessible *content = *slot(object);
  return content != NULL ? content : &empty;
}

static gboolean ask(gpointer object, XDnDAccessibleRequest request, int child) {
  XDnDAccessible *self = *slot(object);
  if (self == NULL) return 0;
  application.request(application.context, self->id, request, child);
  return 1;
}

static void set(char **string, const char *value) {
  free(*string);
  *string = strdup(value);
}

// MARK: AtkObject

static gint countChildren(AtkObject *object) { return content(object)->count; }

static AtkObject *referChild(AtkObject *object, gint index) {
  XDnDAccessible *self = content(object);
  return index >= 0 && index < self->count ? atk.g_object_ref(self->children[index]->object) : NULL;
}

static gint indexInParent(AtkObject *object) { return content(object)->index; }

static AtkLayer layer(AtkObject *object) { return content(object)->layer; }

static AtkStateSet *referStates(AtkObject *object) {
  AtkStateSet *set = atk.atk_state_set_new();
  XDnDAccessible *self = *slot(object);
  uint64_t states = self != NULL ? self->states : (uint64_t)1 << ATK_STATE_DEFUNCT;
  for (int state = 0; state < 64; state++) {
    if (states >> state & 1) atk.atk_state_set_add_state(set, (AtkStateType)state);
  }
  return set;
}

static void initializeClass(gpointer class, gpointer data) {
  (void)data;
  AtkObjectClass *object = class;
  object->get_n_children = countChildren;
  object->ref_child = referChild;
  object->get_index_in_parent = indexInParent;
  object->get_layer = layer;
  object->ref_state_set = referStates;
}

// MARK: AtkComponent

static void extents(AtkComponent *component, gint *x, gint *y, gint *width, gint *height, AtkCoordType type) {
  XDnDAccessible *self = content(component);
  int left = self->x, top = self->y;
  if (type == ATK_XY_SCREEN) {
    left += application.x;
    top += application.y;
  } else if (type == ATK_XY_PARENT && self->parent != NULL) {
    left -= self->parent->x;
    top -= self->parent->y;
  }
  if (x != NULL) *x = left;
  if (y != NULL) *y = top;
  if (width != NULL) *width = self->width;
  if (height != NULL) *height = self->height;
}

static gboolean grabFocus(AtkComponent *component) { return ask(component, XDND_REQUEST_FOCUS, 0); }

static void initializeComponent(gpointer interface, gpointer data) {
  (void)data;
  AtkComponentIface *component = interface;
  component->get_extents = extents;
  component->grab_focus = grabFocus;
}

// MARK: AtkAction

static gint countActions(AtkAction *action) { return content(action)->action[0] != 0; }
static const gchar *actionName(AtkAction *action, gint index) { return index == 0 ? content(action)->action : NULL; }
static const gchar *actionKey(AtkAction *action, gint index) { return index == 0 ? content(action)->key : NULL; }
static gboolean act(AtkAction *action, gint index) {
  return index == 0 && countActions(action) == 1 && ask(action, XDND_REQUEST_ACT, 0);
}

static void initializeAction(gpointer interface, gpointer data) {
  (void)data;
  AtkActionIface *action = interface;
  action->do_action = act;
  action->get_n_actions = countActions;
  action->get_name = actionName;
  action->get_keybinding = actionKey;
}

// MARK: AtkSelection

static int isSelected(XDnDAccessible *child) { return child->states >> ATK_STATE_SELECTED & 1; }

static XDnDAccessible *selectedChild(AtkSelection *selection, gint index) {
  XDnDAccessible *self = content(selection);
  for (int child = 0; child < self->count; child++) {
    if (isSelected(self->children[child]) && index-- == 0) return self->children[child];
  }
  return NULL;
}

static gint countSelected(AtkSelection *selection) {
  XDnDAccessible *self = content(selection);
  int count = 0;
  for (int child = 0; child < self->count; child++) count += isSelected(self->children[child]);
  return count;
}

static AtkObject *referSelected(AtkSelection *selection, gint index) {
  XDnDAccessible *child = index >= 0 ? selectedChild(selection, index) : NULL;
  return child != NULL ? atk.g_object_ref(child->object) : NULL;
}

static gboolean isChildSelected(AtkSelection *selection, gint index) {
  XDnDAccessible *self = content(selection);
  return index >= 0 && index < self->count && isSelected(self->children[index]);
}

static gboolean addSelection(AtkSelection *selection, gint index) {
  return index >= 0 && index < content(selection)->count && ask(selection, XDND_REQUEST_SELECT, index);
}

/// - Parameter index: The child's index among the selected children.
static gboolean removeSelection(AtkSelection *selection, gint index) {
  XDnDAccessible *child = index >= 0 ? selectedChild(selection, index) : NULL;
  return child != NULL && ask(selection, XDND_REQUEST_DESELECT, child->index);
}

static gboolean clearSelection(AtkSelection *selection) { return ask(selection, XDND_REQUEST_SELECT_NONE, 0); }
static gboolean selectAll(AtkSelection *selection) { return ask(selection, XDND_REQUEST_SELECT_ALL, 0); }

static void initializeSelection(gpointer interface, gpointer data) {
  (void)data;
  AtkSelectionIface *selection = interface;
  selection->add_selection = addSelection;
  selection->clear_selection = clearSelection;
  selection->ref_selection = referSelected;
  selection->get_selection_count = countSelected;
  selection->is_child_selected = isChildSelected;
  selection->remove_selection = removeSelection;
  selection->select_all_selection = selectAll;
}

// MARK: AtkValue

static void value(AtkValue *object, gdouble *value, gchar **words) {
  if (value != NULL) *value = content(object)->value;
  if (words != NULL) *words = NULL;
}

static AtkRange *range(AtkValue *object) {
  (void)object;
  return atk.atk_range_new(0, 1, NULL);
}

static void initializeValue(gpointer interface, gpointer data) {
  (void)data;
  AtkValueIface *table = interface;
  table->get_value_and_text = value;
  table->get_range = range;
}

// MARK: Types

static void addInterface(GType type, GType interface, GInterfaceInitFunc initialize) {
  GInterfaceInfo info = {.interface_init = initialize};
  atk.g_type_add_interface_static(type, interface, &info);
}

/// Returns the type of objects with a set of interfaces.
static GType type(unsigned interfaces) {
  GType *type = &application.types[interfaces];
  if (*type != 0) return *type;
  GTypeQuery parent;
  atk.g_type_query(atk.atk_object_get_type(), &parent);
  application.offset = parent.instance_size;
  char name[32];
  snprintf(name, sizeof name, "XDnDAccessible%u", interfaces);
  *type = atk.g_type_register_static_simple(
    parent.type, name, parent.class_size, initializeClass, parent.instance_size + sizeof(XDnDAccessible *), NULL,
    G_TYPE_FLAG_NONE);
  addInterface(*type, atk.atk_component_get_type(), initializeComponent);
  if (interfaces & XDND_ACCESSIBLE_ACTION) addInterface(*type, atk.atk_action_get_type(), initializeAction);
  if (interfaces & XDND_ACCESSIBLE_SELECTION) addInterface(*type, atk.atk_selection_get_type(), initializeSelection);
  if (interfaces & XDND_ACCESSIBLE_VALUE) addInterface(*type, atk.atk_value_get_type(), initializeValue);
  if (interfaces & XDND_ACCESSIBLE_WINDOW) addInterface(*type, atk.atk_window_get_type(), NULL);
  return *type;
}

// MARK: Objects

XDnDAccessible *XDnDAccessibleMake(int64_t id, AtkRole role, unsigned interfaces) {
  XDnDAccessible *self = calloc(1, sizeof *self);
  self->object = atk.g_object_new(type(interfaces), NULL);
  *slot(self->object) = self;
  self->id = id;
  self->index = -1;
  self->layer = interfaces & XDND_ACCESSIBLE_WINDOW ? ATK_LAYER_WINDOW : ATK_LAYER_WIDGET;
  self->action = strdup("");
  self->key = strdup("");
  atk.atk_object_set_role(self->object, role);
  return self;
}

static void release(XDnDAccessible *self) {
  for (int child = 0; child < self->count; child++) release(self->children[child]);
  // Assistive technology may still hold the object, which is defunct from now on.
  *slot(self->object) = NULL;
  atk.atk_object_notify_state_change(self->object, ATK_STATE_DEFUNCT, 1);
  atk.atk_object_set_parent(self->object, NULL);
  atk.g_object_unref(self->object);
  free(self->children);
  free(self->action);
  free(self->key);
  free(self);
}

static void number(XDnDAccessible *parent, int from) {
  for (int child = from; child < parent->count; child++) parent->children[child]->index = child;
}

void XDnDAccessibleInsert(XDnDAccessible *self, XDnDAccessible *parent, int index) {
  if (parent == NULL) parent = application.root;
  parent->children = realloc(parent->children, (size_t)(parent->count + 1) * sizeof *parent->children);
  memmove(
    parent->children + index + 1, parent->children + index,
    (size_t)(parent->count - index) * sizeof *parent->children);
  parent->children[index] = self;
  parent->count += 1;
  number(parent, index);
  self->parent = parent;
  atk.atk_object_set_parent(self->object, parent->object);
  atk.g_signal_emit_by_name(parent->object, "children-changed::add", (guint)index, self->object, NULL);
}

void XDnDAccessibleRemove(XDnDAccessible *self) {
  XDnDAccessible *parent = self->parent;
  int index = self->index;
  parent->count -= 1;
  memmove(
    parent->children + index, parent->children + index + 1,
    (size_t)(parent->count - index) * sizeof *parent->children);
  number(parent, index);
  atk.g_signal_emit_by_name(parent->object, "children-changed::remove", (guint)index, self->object, NULL);
  release(self);
}

void XDnDAccessibleSetName(XDnDAccessible *self, const char *name) { atk.atk_object_set_name(self->object, name); }

void XDnDAccessibleSetDescription(XDnDAccessible *self, const char *description) {
  atk.atk_object_set_description(self->object, description);
}

void XDnDAccessibleSetStates(XDnDAccessible *self, uint64_t states) {
  uint64_t changed = self->states ^ states;
  self->states = states;
  if (self->parent == NULL) return;
  for (int state = 0; state < 64; state++) {
    if (changed >> state & 1) atk.atk_object_notify_state_change(self->object, (guint64)state, states >> state & 1);
  }
}

void XDnDAccessibleSetBox(XDnDAccessible *self, int x, int y, int width, int height) {
  self->x = x;
  self->y = y;
  self->width = width;
  self->height = height;
  struct {
    gint x, y, width, height;
  } bounds = {x, y, width, height};
  if (self->parent != NULL) atk.g_signal_emit_by_name(self->object, "bounds-changed", &bounds, NULL);
}

void XDnDAccessibleSetOrigin(int x, int y) {
  application.x = x;
  application.y = y;
}

void XDnDAccessibleSetAction(XDnDAccessible *self, const char *action, const char *key) {
  set(&self->action, action);
  set(&self->key, key);
}

void XDnDAccessibleSetValue(XDnDAccessible *self, double value) {
  self->value = value;
  if (self->parent != NULL) atk.g_signal_emit_by_name(self->object, "value-changed", value, NULL, NULL);
}

void XDnDAccessibleSelectionChanged(XDnDAccessible *self) {
  atk.g_signal_emit_by_name(self->object, "selection-changed", NULL);
}

void XDnDAccessibleEmit(XDnDAccessible *window, const char *signal) {
  atk.g_signal_emit_by_name(window->object, signal, NULL);
}

void XDnDAccessibleAnnounce(XDnDAccessible *window, const char *message) {
  // ATK 2.50 has both signals and prefers `notification`; 2.46 and 2.48 have only `announcement`, and older ones, as in
  // Ubuntu 22.04, neither. 1 is polite: it interrupts nothing.
  if (atk.g_signal_lookup("notification", atk.atk_object_get_type()) != 0) {
    atk.g_signal_emit_by_name(window->object, "notification", message, 1, NULL);
  } else if (atk.g_signal_lookup("announcement", atk.atk_object_get_type()) != 0) {
    atk.g_signal_emit_by_name(window->object, "announcement", message, NULL);
  }
}

// MARK: The application

static AtkObject *root(void) { return application.root->object; }
static const gchar *toolkitName(void) { return "XDnD"; }
static const gchar *toolkitVersion(void) { return "1"; }

static void discard(const gchar *domain, GLogLevelFlags level, const gchar *message, gpointer data) {
  (void)domain, (void)level, (void)message, (void)data;
}

int XDnDAccessibilityBegin(
  const char *name, void *context,
  void (*request)(void *, int64_t, XDnDAccessibleRequest, int)) {
  if (!load()) return 0;
  // The user of the tool does not need a warning that there is no bus.
  atk.g_log_set_handler("dbind", G_LOG_LEVEL_MASK, discard, NULL);
  atk.g_log_set_handler("atk-bridge", G_LOG_LEVEL_MASK, discard, NULL);
  application.context = context;
  application.request = request;
  application.root = XDnDAccessibleMake(-1, ATK_ROLE_APPLICATION, 0);
  atk.atk_object_set_name(application.root->object, name);
  AtkUtilClass *util = atk.g_type_class_ref(atk.atk_util_get_type());
  util->get_root = root;
  util->get_toolkit_name = toolkitName;
  util->get_toolkit_version = toolkitVersion;
  return atk.atk_bridge_adaptor_init(NULL, NULL) == 0;
}

typedef struct {
  int (*receive)(void *);
  int isRunning;
} Loop;

static gboolean ring(gint bell, GIOCondition condition, gpointer data) {
  (void)bell, (void)condition;
  Loop *loop = data;
  loop->isRunning = loop->receive(application.context);
  return loop->isRunning;
}

void XDnDAccessibilityRun(int bell, int (*receive)(void *)) {
  Loop loop = {.receive = receive, .isRunning = 1};
  atk.g_unix_fd_add(bell, G_IO_IN, ring, &loop);
  while (loop.isRunning) atk.g_main_context_iteration(NULL, 1);
  atk.atk_bridge_adaptor_cleanup();
}
