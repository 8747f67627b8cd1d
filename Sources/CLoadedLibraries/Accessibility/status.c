// Asks the session bus whether assistive technology is on, with libdbus-1, which ATK's bridge needs, too.

#include "accessibility.h"

#include <dlfcn.h>
#include <poll.h>
#include <stddef.h>

typedef struct DBusConnection DBusConnection;
typedef struct DBusMessage DBusMessage;
typedef struct DBusError DBusError;
/// Larger than libdbus's structure.
typedef struct {
  void *space[16];
} DBusMessageIter;
typedef unsigned dbus_bool_t;
typedef enum { DBUS_BUS_SESSION = 0 } DBusBusType;
enum { DBUS_TYPE_INVALID = 0, DBUS_TYPE_BOOLEAN = 'b', DBUS_TYPE_STRING = 's', DBUS_TYPE_VARIANT = 'v' };

static struct {
#define FUNCTION(result, name, parameters) result(*name) parameters;
#include "bus-functions.h"
#undef FUNCTION
} bus;

static int load(void) {
  void *library = dlopen("libdbus-1.so.3", RTLD_LAZY | RTLD_LOCAL);
  if (library == NULL) return 0;
#define FUNCTION(result, name, parameters) \
  if ((bus.name = (__typeof__(bus.name))dlsym(library, #name)) == NULL) return 0;
#include "bus-functions.h"
#undef FUNCTION
  return 1;
}

/// Returns a boolean property of `org.a11y.Status`; 0 if it cannot be read. Does not start the program that provides
/// it.
static int property(DBusConnection *connection, const char *name) {
  DBusMessage *call =
    bus.dbus_message_new_method_call("org.a11y.Bus", "/org/a11y/bus", "org.freedesktop.DBus.Properties", "Get");
  if (call == NULL) return 0;
  const char *interface = "org.a11y.Status";
  bus.dbus_message_set_auto_start(call, 0);
  bus.dbus_message_append_args(
    call, DBUS_TYPE_STRING, &interface, DBUS_TYPE_STRING, &name, DBUS_TYPE_INVALID);
  // In milliseconds.
  DBusMessage *reply = bus.dbus_connection_send_with_reply_and_block(connection, call, 5000, NULL);
  bus.dbus_message_unref(call);
  if (reply == NULL) return 0;
  DBusMessageIter outer, inner;
  dbus_bool_t value = 0;
  if (bus.dbus_message_iter_init(reply, &outer) && bus.dbus_message_iter_get_arg_type(&outer) == DBUS_TYPE_VARIANT) {
    bus.dbus_message_iter_recurse(&outer, &inner);
    if (bus.dbus_message_iter_get_arg_type(&inner) == DBUS_TYPE_BOOLEAN) {
      bus.dbus_message_iter_get_basic(&inner, &value);
    }
  }
  bus.dbus_message_unref(reply);
  return value != 0;
}

static int await(DBusConnection *connection, int stop) {
  // The program that provides the properties may start, or change them.
  bus.dbus_bus_add_match(
    connection, "type='signal',path='/org/a11y/bus',interface='org.freedesktop.DBus.Properties'", NULL);
  bus.dbus_bus_add_match(
    connection, "type='signal',sender='org.freedesktop.DBus',member='NameOwnerChanged',arg0='org.a11y.Bus'", NULL);
  bus.dbus_connection_flush(connection);
  int descriptor = -1;
  if (!bus.dbus_connection_get_unix_fd(connection, &descriptor)) return 0;
  while (bus.dbus_connection_get_is_connected(connection)) {
    if (property(connection, "IsEnabled") || property(connection, "ScreenReaderEnabled")) return 1;
    // The signals' contents do not matter: each signal makes the loop read the properties again.
    DBusMessage *signal;
    int count = 0;
    while ((signal = bus.dbus_connection_pop_message(connection)) != NULL) {
      bus.dbus_message_unref(signal);
      count += 1;
    }
    if (count > 0) continue;
    struct pollfd descriptors[] = {{.fd = descriptor, .events = POLLIN}, {.fd = stop, .events = POLLIN}};
    poll(descriptors, 2, -1);
    if (descriptors[1].revents != 0) return 0;
    bus.dbus_connection_read_write(connection, 0);
  }
  return 0;
}

int XDnDAwaitAssistiveTechnology(int stop) {
  if (!load()) return 0;
  DBusConnection *connection = bus.dbus_bus_get_private(DBUS_BUS_SESSION, NULL);
  if (connection == NULL) return 0;
  // By default, libdbus ends the process when the bus ends.
  bus.dbus_connection_set_exit_on_disconnect(connection, 0);
  int result = await(connection, stop);
  bus.dbus_connection_close(connection);
  bus.dbus_connection_unref(connection);
  return result;
}
