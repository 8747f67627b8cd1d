#!/usr/bin/python3
"""A drag source or target with Qt 5; see peer.py for what it prints."""

import os
import signal
import socket
import sys

from PyQt5.QtCore import QByteArray, QEvent, QMimeData, QPoint, QSocketNotifier, Qt, QTimer, QUrl
from PyQt5.QtGui import QDrag
from PyQt5.QtWidgets import QApplication, QLabel

import peer

FLAGS = {"copy": Qt.CopyAction, "move": Qt.MoveAction, "link": Qt.LinkAction}


def name_of(action):
    return next((name for name, flag in FLAGS.items() if action == flag), "none")


def mask_of(names):
    mask = Qt.DropActions()
    for name in names:
        mask |= FLAGS[name]
    return mask


class LazyData(QMimeData):
    """Data that says when somebody asks for it."""

    def __init__(self, arguments):
        super().__init__()
        if arguments.text is not None:
            self.setText(arguments.text)
        elif arguments.uris:
            self.setUrls([QUrl.fromLocalFile(os.path.abspath(path)) for path in arguments.uris])
        else:
            kind, path = ("image/png", arguments.png) if arguments.png else arguments.blob
            with open(path, "rb") as file:
                self.setData(kind, QByteArray(file.read()))

    def retrieveData(self, type_name, kind):
        peer.emit("data-requested", type=type_name)
        return super().retrieveData(type_name, kind)


class Peer(QLabel):
    def __init__(self, arguments):
        super().__init__("Qt 5 " + arguments.role)
        self.arguments = arguments
        self.setWindowTitle("qt5 " + arguments.role)
        self.setAlignment(Qt.AlignCenter)
        self.setAcceptDrops(arguments.role == "target")
        self.last, self.pressed = None, None
        width, height, x, y = arguments.geometry
        self.setGeometry(x, y, width, height)
        self.ready = peer.Announcement(
            arguments, lambda: (lambda at: (at.x(), at.y()))(self.mapToGlobal(QPoint(0, 0))),
            lambda: (self.width(), self.height()), lambda: int(self.winId()),
            lambda again: QTimer.singleShot(20, again))

    def event(self, event):
        if event.type() == QEvent.WindowActivate or event.type() == QEvent.Paint:
            QTimer.singleShot(0, self.ready.check)
        return super().event(event)

    def finished(self):
        if self.arguments.once:
            QTimer.singleShot(300, QApplication.quit)  # what is still on its way to the other side goes out

    # Source

    def mousePressEvent(self, event):
        self.pressed = event.pos() if event.button() == Qt.LeftButton else None

    def mouseMoveEvent(self, event):
        if self.arguments.role != "source" or self.pressed is None or not event.buttons() & Qt.LeftButton:
            return
        if (event.pos() - self.pressed).manhattanLength() < QApplication.startDragDistance():
            return
        self.pressed = None
        peer.emit("drag-begin")
        drag = QDrag(self)
        drag.setMimeData(LazyData(self.arguments))
        # Qt says how a drop ended when the button goes up, serves its data afterwards, and lets go of the drag at the
        # end of that.
        served = {"yet": False, "awaited": False}

        def on_destroyed(*_):
            served["yet"] = True
            if served["awaited"]:
                self.finished()

        drag.destroyed.connect(on_destroyed)
        names = self.arguments.actions
        result = name_of(drag.exec_(mask_of(names), FLAGS[self.arguments.prefer or names[0]]))
        # Qt leaves the deletion to the program: a move that was accepted is the request for it.
        peer.emit("drag-end", action=result, success=result != "none", deleted=result == "move")
        if result == "none" or served["yet"]:
            self.finished()
        else:
            served["awaited"] = True

    # Target

    def best_type(self, data):
        offered = data.formats()
        if self.arguments.accept:
            return next((name for name in self.arguments.accept if name in offered), None)
        known = ("text/uri-list", "text/plain")
        return next((name for name in known if name in offered), offered[0] if offered else None)

    def choose(self, event):
        """Answers a move or a drop and returns the name of the action it took."""
        wanted = FLAGS[self.arguments.prefer] if self.arguments.prefer else event.proposedAction()
        allowed = mask_of(self.arguments.actions)
        if self.best_type(event.mimeData()) is None or not wanted & allowed:
            event.ignore()
            return "none"
        event.setDropAction(wanted)
        event.accept()
        return name_of(wanted)

    def moved(self, event):
        action = self.choose(event)
        if action != self.last:
            self.last = action
            peer.emit("motion", action=action)

    def dragEnterEvent(self, event):
        self.last = None
        peer.emit("enter", types=event.mimeData().formats(), x=event.pos().x(), y=event.pos().y())
        self.choose(event)
        event.accept()  # Qt shows no motion to a widget that refused to be entered

    def dragMoveEvent(self, event):
        self.moved(event)

    def dragLeaveEvent(self, _event):
        peer.emit("leave")

    def dropEvent(self, event):
        action = self.choose(event)
        wanted = self.best_type(event.mimeData())
        if action == "none":
            peer.emit("drop-failed", reason="nothing acceptable")
        else:
            data = bytes(event.mimeData().data(wanted))
            if not data and not event.mimeData().hasFormat(wanted):
                event.ignore()
                peer.emit("drop-failed", type=wanted, reason="no data")
            else:
                peer.emit("drop", action=action, **peer.describe(wanted, data))
        self.finished()


def wake_on_signals(application):
    """Python handles a signal only when its own code runs; the loop of Qt is woken through a socket."""
    ours, theirs = socket.socketpair()
    for end in (ours, theirs):
        end.setblocking(False)
    signal.set_wakeup_fd(theirs.fileno())
    signal.signal(signal.SIGTERM, lambda *_: None)
    notifier = QSocketNotifier(ours.fileno(), QSocketNotifier.Read, application)
    notifier.activated.connect(lambda *_: application.exit(0))
    application.held = (ours, theirs, notifier)


def main():
    arguments = peer.parse_arguments()
    application = QApplication(sys.argv[:1])
    wake_on_signals(application)

    def time_is_up():
        peer.emit("timeout")
        application.exit(3)

    if arguments.timeout:
        QTimer.singleShot(int(arguments.timeout * 1000), time_is_up)
    side = Peer(arguments)
    side.show()
    code = application.exec_()
    sys.stdout.flush()
    os._exit(code)  # a drag that is still in its own loop must not keep the process


if __name__ == "__main__":
    main()
