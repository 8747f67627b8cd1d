#!/usr/bin/python3
"""A window of Qt 6 to drag from or to, for scripts/gallery; see widgets.py."""

import signal
import sys

from PyQt6.QtCore import QFileInfo, QMimeData, QPoint, QSize, Qt, QTimer, QUrl
from PyQt6.QtGui import QTextCursor
from PyQt6.QtWidgets import (
    QAbstractItemView, QApplication, QFileIconProvider, QLabel, QListWidget, QListWidgetItem, QTextEdit)

import widgets


class Files(QListWidget):
    """A list of files; the view itself draws what is dragged."""

    def __init__(self, paths, role):
        super().__init__()
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setIconSize(QSize(32, 32))
        mode = QAbstractItemView.DragDropMode
        self.setDragDropMode(mode.DragOnly if role == "source" else mode.DropOnly)
        icons = QFileIconProvider()
        for path in paths:
            item = QListWidgetItem(icons.icon(QFileInfo(path)), widgets.name_of(path), self)
            item.setData(Qt.ItemDataRole.UserRole, path)

    def mimeTypes(self):
        return ["text/uri-list"]

    def mimeData(self, items):
        data = QMimeData()
        data.setUrls([QUrl.fromLocalFile(item.data(Qt.ItemDataRole.UserRole)) for item in items])
        return data

    def supportedDropActions(self):
        return Qt.DropAction.CopyAction

    def dropMimeData(self, *_):
        return True


class Refusing(QLabel):
    """It takes colours, and nothing that is dragged here."""

    def __init__(self):
        super().__init__("Colours only")
        self.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.setAcceptDrops(True)

    def dragEnterEvent(self, event):
        event.setAccepted(event.mimeData().hasColor())


def make(arguments):
    """The widget, and what says where to press, in its coordinates."""
    if arguments.role == "refusing":
        return Refusing(), lambda: QPoint()
    if arguments.kind == "text":
        editor = QTextEdit(" ".join(arguments.content))
        if arguments.role == "source":
            editor.selectAll()
        else:
            editor.moveCursor(QTextCursor.MoveOperation.End)
        return editor, lambda: QPoint(50, 18)
    files = Files(arguments.content, arguments.role)
    first, count = arguments.selected
    for row in range(first, min(first + count, files.count())):
        files.item(row).setSelected(True)
    return files, lambda: QPoint(80, files.visualItemRect(files.item(first)).center().y())


def main():
    arguments = widgets.parse_arguments()
    application = QApplication(sys.argv[:1])
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    widget, grabbed = make(arguments)
    width, height, x, y = arguments.geometry
    widget.setWindowTitle("Qt 6")
    widget.setGeometry(x, y, width, height)
    widget.show()

    def announce():
        place = widget.mapToGlobal(grabbed()) if arguments.role == "source" else QPoint()
        widgets.announce(place.x(), place.y())

    QTimer.singleShot(700, announce)
    application.exec()


if __name__ == "__main__":
    main()
