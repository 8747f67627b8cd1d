#!/usr/bin/python3
"""A drop target with wxWidgets; see peer.py for what it prints.

It takes files and text with one drop target, files first, as programs do that open what is dropped on them.
"""

import os
import signal
import sys

import wx

import peer

ACTIONS = {wx.DragCopy: "copy", wx.DragMove: "move", wx.DragLink: "link"}


class Target(wx.DropTarget):
    def __init__(self):
        super().__init__()
        self.both = wx.DataObjectComposite()
        self.files, self.text = wx.FileDataObject(), wx.TextDataObject()
        self.both.Add(self.files, True)
        self.both.Add(self.text)
        self.DataObject = self.both

    def OnData(self, _x, _y, result):
        if not self.GetData():
            peer.emit("drop-failed", reason="no data that wx can read")
            return wx.DragNone
        is_files = self.both.GetReceivedFormat().GetType() == wx.DF_FILENAME
        peer.emit(
            "drop", action=ACTIONS.get(result, "none"), files=list(self.files.GetFilenames()) if is_files else [],
            text="" if is_files else self.text.GetText())
        return result


def main():
    arguments = peer.parse_arguments()
    if arguments.role != "target":
        sys.exit("this peer drags nothing")
    signal.signal(signal.SIGTERM, lambda *_: os._exit(0))
    width, height, x, y = arguments.geometry
    program = wx.App()
    frame = wx.Frame(None, title="wx target")
    area = wx.Panel(frame)
    area.SetDropTarget(Target())
    frame.SetClientSize((width, height))
    frame.Show()
    frame.Move(x, y)
    ready = peer.Announcement(
        arguments, lambda: tuple(area.GetScreenPosition()), lambda: tuple(area.GetSize()), lambda: frame.GetHandle(),
        lambda again: wx.CallLater(20, again), lambda: frame.Move(x, y))
    wx.CallAfter(ready.check)
    # Python handles a signal only when its own code runs.
    heart = wx.Timer(frame)
    frame.Bind(wx.EVT_TIMER, lambda _: None, heart)
    heart.Start(50)
    if arguments.timeout:
        def time_is_up():
            peer.emit("timeout")
            sys.stdout.flush()
            os._exit(3)
        wx.CallLater(int(arguments.timeout * 1000), time_is_up)
    program.MainLoop()
    return 0


if __name__ == "__main__":
    sys.exit(main())
