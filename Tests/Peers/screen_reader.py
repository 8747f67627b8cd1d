#!/usr/bin/python3
"""Sees the windows of programs as a screen reader does, over AT-SPI 2: JSON lines on the standard output.

    follow                          until it is ended: `announcement`, `focus`, `window`, each with its application
    walk APPLICATION                a `node` for each object of the application, from its root on, then `end`
    act APPLICATION ROLE NAME       performs the action of an object, then `end`
    select APPLICATION ROLE NAME    selects an object in its parent, then `end`
    type APPLICATION TEXT           inserts text at the start of the text field, then `end`

The last four wait for the application, and for the object, and end with code 3 if it does not come.
"""

import signal
import sys
import time

import gi

gi.require_version("Atspi", "2.0")
from gi.repository import Atspi, GLib  # noqa: E402

import peer  # noqa: E402

PATIENCE = 20  # seconds


def application(name):
    desktop = Atspi.get_desktop(0)
    for index in range(desktop.get_child_count()):
        child = desktop.get_child_at_index(index)
        # A program that is about to end has no name.
        if child is not None and child.get_name() == name and child.get_child_count() > 0:
            return child
    return None


def objects(root, depth=0):
    yield root, depth
    for index in range(root.get_child_count()):
        child = root.get_child_at_index(index)
        if child is not None:
            yield from objects(child, depth + 1)


def wait_for(find):
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        try:
            found = find()
        except GLib.Error:  # An object that vanishes while one looks at it.
            found = None
        if found is not None:
            return found
        # The cache follows the events.
        GLib.MainContext.default().iteration(False)
        time.sleep(0.05)
    sys.exit(3)


def wait_for_object(name, role, title):
    def find():
        root = application(name)
        found = root and (o for o, _ in objects(root) if o.get_role_name() == role and title in (None, o.get_name()))
        return found and next(found, None)

    return wait_for(find)


def walk(name):
    for node, depth in objects(wait_for(lambda: application(name))):
        box = node.get_extents(Atspi.CoordType.SCREEN) if node.get_component_iface() else None
        action, text = node.get_action_iface(), node.get_text_iface()
        peer.emit(
            "node", role=node.get_role_name(), name=node.get_name(), depth=depth,
            states=sorted(state.value_nick for state in node.get_state_set().get_states()),
            actions=[Atspi.Action.get_action_name(action, i) for i in range(Atspi.Action.get_n_actions(action))]
            if action else [],
            text=Atspi.Text.get_text(text, 0, -1) if text else None, width=box.width if box else 0, height=box.height if box else 0)


def follow():
    def hear(event):
        try:
            fields = {"application": event.source.get_application().get_name(), "name": event.source.get_name()}
            if event.type.startswith("object:announcement") or event.type.startswith("object:notification"):
                peer.emit("announcement", text=event.any_data, **fields)
            elif event.type.startswith("object:state-changed:focused"):
                if event.detail1:
                    peer.emit("focus", role=event.source.get_role_name(), **fields)
            else:
                peer.emit("window", what=event.type.split(":")[1], **fields)
        except GLib.Error:
            pass  # The program has ended.

    listener = Atspi.EventListener.new(hear)
    for name in ("object:announcement", "object:notification", "object:state-changed:focused", "window:activate"):
        listener.register(name)
    peer.emit("listening")
    loop = GLib.MainLoop()
    GLib.unix_signal_add(GLib.PRIORITY_DEFAULT, signal.SIGTERM, loop.quit)
    loop.run()


def main():
    command, arguments = sys.argv[1], sys.argv[2:]
    Atspi.init()
    if command == "follow":
        return follow()
    if command == "walk":
        walk(*arguments)
    elif command == "act":
        Atspi.Action.do_action(wait_for_object(*arguments).get_action_iface(), 0)
    elif command == "select":
        item = wait_for_object(*arguments)
        Atspi.Selection.select_child(item.get_parent().get_selection_iface(), item.get_index_in_parent())
    elif command == "type":
        field = wait_for_object(arguments[0], "entry", None)
        Atspi.EditableText.insert_text(
            field.get_editable_text_iface(), 0, arguments[1], len(arguments[1].encode()))
    peer.emit("end")


main()
