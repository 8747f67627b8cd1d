#!/usr/bin/python3
"""A drag source or target with Qt; see peer.py for what it reads and prints.

The first argument is the binding: PyQt5 or PyQt6.
"""

import importlib
import os
import signal
import socket
import sys

import peer

BINDING = sys.argv.pop(1)
QtCore, QtGui, QtWidgets = (importlib.import_module(f"{BINDING}.{part}") for part in ("QtCore", "QtGui", "QtWidgets"))
Qt, QTimer, QUrl = QtCore.Qt, QtCore.QTimer, QtCore.QUrl

FLAGS = {"copy": Qt.DropAction.CopyAction, "move": Qt.DropAction.MoveAction, "link": Qt.DropAction.LinkAction}


def name_of(action):
    return next((name for name, flag in FLAGS.items() if action == flag), "none")


def mask_of(names):
    mask = Qt.DropAction.IgnoreAction
    for name in names:
        mask = mask | FLAGS[name]
    return mask


def place_of(event):
    """Where a drag is: Qt 6 has it in fractions."""
    return event.position().toPoint() if hasattr(event, "position") else event.pos()


class LazyData(QtCore.QMimeData):
    """Data that says when somebody asks for it."""

    def __init__(self, content):
        super().__init__()
        if content.kind in ("text", "html"):
            self.setText(content.text)
        if content.kind == "html":
            self.setHtml(content.html)
        elif content.kind == "link":
            self.setUrls([QUrl(content.uri)])
            self.setText(content.title)
        elif content.kind == "color":
            self.setColorData(QtGui.QColor.fromRgba64(*content.color))
        elif content.kind == "image":
            self.setImageData(QtGui.QImage(content.path))
        elif content.kind == "files":
            self.setUrls([QUrl.fromEncoded(uri.encode()) for uri in content.uris])
        elif content.kind == "data":
            self.setData(content.type, QtCore.QByteArray(content.data()))

    def retrieveData(self, type_name, kind):
        peer.emit("data-requested", type=type_name)
        return super().retrieveData(type_name, kind)


class Peer(QtWidgets.QLabel):
    def __init__(self, arguments):
        super().__init__(BINDING + " " + arguments.role)
        self.arguments = arguments
        self.setWindowTitle(BINDING + " " + arguments.role)
        self.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.setAcceptDrops(arguments.role == "target")
        self.last, self.pressed, self.content = None, None, None
        width, height, x, y = arguments.geometry
        self.setGeometry(x, y, width, height)
        self.ready = peer.Announcement(
            arguments, lambda: (lambda at: (at.x(), at.y()))(self.mapToGlobal(QtCore.QPoint(0, 0))),
            lambda: (self.width(), self.height()), lambda: int(self.winId()),
            lambda again: QTimer.singleShot(20, again))

    def event(self, event):
        if event.type() in (QtCore.QEvent.Type.WindowActivate, QtCore.QEvent.Type.Paint):
            QTimer.singleShot(0, self.ready.check)
        return super().event(event)

    # Source

    def mousePressEvent(self, event):
        self.pressed = event.pos() if event.button() == Qt.MouseButton.LeftButton else None

    def mouseMoveEvent(self, event):
        if self.arguments.role != "source" or self.pressed is None or not event.buttons() & Qt.MouseButton.LeftButton:
            return
        if (event.pos() - self.pressed).manhattanLength() < QtWidgets.QApplication.startDragDistance():
            return
        self.pressed = None
        content = peer.Content(self.arguments.content)
        peer.emit("drag-begin", kind=content.kind, **self.encoded(content))
        drag = QtGui.QDrag(self)
        drag.setMimeData(LazyData(content))
        result = name_of(drag.exec(mask_of(content.actions), FLAGS[content.actions[0]]))
        # Qt says how a drop ended when the button goes up, and leaves the deletion to the program: a move that was
        # accepted is the request for it.
        peer.emit("drag-end", action=result, success=result != "none", deleted=result == "move")

    @staticmethod
    def encoded(content):
        """The digest of a picture as Qt writes it when somebody asks for `image/png`."""
        if content.kind != "image":
            return {}
        buffer = QtCore.QBuffer()
        buffer.open(QtCore.QIODevice.OpenModeFlag.WriteOnly)
        QtGui.QImage(content.path).save(buffer, "PNG")
        return peer.digest(bytes(buffer.data()))

    # Target

    def has_kind(self, data):
        return {
            "text": data.hasText, "html": data.hasHtml, "link": data.hasUrls, "color": data.hasColor,
            "image": data.hasImage, "files": data.hasUrls, "data": lambda: data.hasFormat(self.content.type),
        }[self.content.kind]()

    def choose(self, event):
        """Answers a move or a drop and returns the name of the action it took."""
        wanted = FLAGS[self.content.take] if self.content.take else event.proposedAction()
        if not self.has_kind(event.mimeData()) or name_of(wanted) == "none":
            event.ignore()
            return "none"
        event.setDropAction(wanted)
        event.accept()
        return name_of(wanted)

    def dragEnterEvent(self, event):
        self.last, self.content = None, peer.Content(self.arguments.content)
        at = place_of(event)
        peer.emit("enter", types=event.mimeData().formats(), x=at.x(), y=at.y())
        self.choose(event)
        event.accept()  # Qt shows no motion to a widget that refused to be entered

    def dragMoveEvent(self, event):
        action = self.choose(event)
        if action != self.last:
            self.last = action
            peer.emit("motion", action=action)

    def dragLeaveEvent(self, _event):
        peer.emit("leave")

    def dropEvent(self, event):
        action = self.choose(event)
        fields = None if action == "none" else self.received(event.mimeData())
        if fields is None:
            event.ignore()
            peer.emit("drop-failed", reason="no data that Qt can read")
        else:
            peer.emit("drop", action=action, kind=self.content.kind, **fields)

    def received(self, data):
        """The fields of a drop, read with Qt's own functions."""
        kind = self.content.kind
        if kind == "text":
            return peer.text_fields(data.text())
        if kind == "html":
            return peer.text_fields(data.html())
        if kind in ("link", "files"):
            uris = [bytes(url.toEncoded()).decode() for url in data.urls()]
            return {"uris": uris} if kind == "files" else {"uri": uris[0] if uris else None}
        if kind == "color":
            color = QtGui.QColor(data.colorData()).rgba64()
            return peer.color_fields((color.red(), color.green(), color.blue(), color.alpha()))
        if kind == "image":
            image = QtGui.QImage(data.imageData())
            if image.isNull():
                return None
            image = image.convertToFormat(QtGui.QImage.Format.Format_RGBA8888)
            pixels = image.constBits().asstring(image.bytesPerLine() * image.height())
            return peer.image_fields(image.width(), image.height(), image.bytesPerLine(), pixels)
        return peer.digest(bytes(data.data(self.content.type)))


def wake_on_signals(application):
    """Python handles a signal only when its own code runs; the loop of Qt is woken through a socket."""
    ours, theirs = socket.socketpair()
    for end in (ours, theirs):
        end.setblocking(False)
    signal.set_wakeup_fd(theirs.fileno())
    signal.signal(signal.SIGTERM, lambda *_: None)
    notifier = QtCore.QSocketNotifier(ours.fileno(), QtCore.QSocketNotifier.Type.Read, application)
    notifier.activated.connect(lambda *_: application.exit(0))
    application.held = (ours, theirs, notifier)


def main():
    arguments = peer.parse_arguments()
    application = QtWidgets.QApplication(sys.argv[:1])
    wake_on_signals(application)

    def time_is_up():
        peer.emit("timeout")
        application.exit(3)

    if arguments.timeout:
        QTimer.singleShot(int(arguments.timeout * 1000), time_is_up)
    side = Peer(arguments)
    side.show()
    code = application.exec()
    sys.stdout.flush()
    os._exit(code)  # a drag that is still in its own loop must not keep the process


if __name__ == "__main__":
    main()
