// The functions that status.c calls.
//
//   FUNCTION(result, name, parameters)

FUNCTION(DBusConnection *, dbus_bus_get_private, (DBusBusType type, DBusError *error))
FUNCTION(void, dbus_bus_add_match, (DBusConnection *connection, const char *rule, DBusError *error))
FUNCTION(void, dbus_connection_set_exit_on_disconnect, (DBusConnection *connection, dbus_bool_t exit_on_disconnect))
FUNCTION(dbus_bool_t, dbus_connection_get_is_connected, (DBusConnection *connection))
FUNCTION(dbus_bool_t, dbus_connection_get_unix_fd, (DBusConnection *connection, int *fd))
FUNCTION(dbus_bool_t, dbus_connection_read_write, (DBusConnection *connection, int timeout_milliseconds))
FUNCTION(DBusMessage *, dbus_connection_pop_message, (DBusConnection *connection))
FUNCTION(DBusMessage *, dbus_connection_send_with_reply_and_block,
  (DBusConnection *connection, DBusMessage *message, int timeout_milliseconds, DBusError *error))
FUNCTION(void, dbus_connection_flush, (DBusConnection *connection))
FUNCTION(void, dbus_connection_close, (DBusConnection *connection))
FUNCTION(void, dbus_connection_unref, (DBusConnection *connection))
FUNCTION(DBusMessage *, dbus_message_new_method_call,
  (const char *bus_name, const char *path, const char *iface, const char *method))
FUNCTION(void, dbus_message_set_auto_start, (DBusMessage *message, dbus_bool_t auto_start))
FUNCTION(dbus_bool_t, dbus_message_append_args, (DBusMessage *message, int first_arg_type, ...))
FUNCTION(dbus_bool_t, dbus_message_iter_init, (DBusMessage *message, DBusMessageIter *iter))
FUNCTION(int, dbus_message_iter_get_arg_type, (DBusMessageIter *iter))
FUNCTION(void, dbus_message_iter_recurse, (DBusMessageIter *iter, DBusMessageIter *sub))
FUNCTION(void, dbus_message_iter_get_basic, (DBusMessageIter *iter, void *value))
FUNCTION(void, dbus_message_unref, (DBusMessage *message))
