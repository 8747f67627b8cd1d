import XDnDConformance

@testable import XDnD

extension RecordedDrag {
  static let types = ["text/uri-list", "text/plain;charset=utf-8", "UTF8_STRING", "XdndDirectSave0"]

  /// What a target has recorded of a source that does everything right.
  static var goodSource: RecordedDrag {
    var drag = RecordedDrag(.target)
    drag.property(.written, "XdndAware", of: target, type: "ATOM", words: [5])
    drag.owner(source, time: 900)
    // It is refused, and leaves.
    drag.visitBegins()
    drag.position(150, 150, time: 1000)
    drag.status(0, nil, nil)
    drag.say(.leave, [source.rawValue])
    // It comes back and drops.
    drag.visitBegins()
    drag.position(200, 200, time: 1100)
    drag.status(1, Rect(x: 190, y: 190, width: 20, height: 20))
    drag.position(220, 200, time: 1200)
    drag.status(3)
    drag.say(.drop, [source.rawValue, 0, 1210])
    drag.entries[drag.entries.count - 1].isPointerGrabbed = false
    drag.answers()
    drag.owner(source)
    drag.finished(1)
    drag.owner(.none)
    return drag
  }

  private mutating func visitBegins() {
    enter(Self.types)
    owner(Self.source)
    property(.read, "XdndTypeList", of: Self.source, type: "ATOM", atoms: Self.types)
    property(.read, "XdndActionList", of: Self.source, type: "ATOM", atoms: ["XdndActionCopy"])
    property(.read, "XdndDirectSave0", of: Self.source, type: "text/plain", Array("a.txt".utf8))
  }

  private mutating func answers() {
    convert("XdndDirectSave0", time: 1210)
    takes("STRING", Array("S".utf8))
    convert("TARGETS", time: 1210)
    property(
      .read, "DATA", of: Self.target, type: "ATOM", atoms: ["TARGETS", "MULTIPLE", "TIMESTAMP"] + Self.types)
    convert("TIMESTAMP", time: 1210)
    property(.read, "DATA", of: Self.target, type: "INTEGER", words: [900])
    convert("text/uri-list", time: 1210)
    takes("text/uri-list", Array("file:///tmp/a%20b\r\n".utf8))
    convert("UTF8_STRING", time: 1210)
    takes("UTF8_STRING", Array("Grüße".utf8))
    convert("text/plain;charset=utf-8", time: 1210)
    property(.read, "DATA", of: Self.target, type: "INCR", words: [6])
    for part in ["Grü", "ße", ""] {
      property(.changed, "DATA", of: Self.target)
      takes("text/plain;charset=utf-8", Array(part.utf8))
    }
    convert("application/x-unheard-of", time: 1210, isRefused: true)
    convert("UTF8_STRING", time: 0, by: Self.hidden)
    property(.read, "DATA", of: Self.hidden, type: "UTF8_STRING", Array("Grüße".utf8))
    property(.deleted, "DATA", of: Self.hidden)
    let pairs = ["UTF8_STRING", "DATA_1", "application/x-unheard-of", "DATA_2"]
    property(.written, "DATA", of: Self.target, type: "ATOM_PAIR", atoms: pairs)
    convert("MULTIPLE", time: 1210)
    property(
      .read, "DATA", of: Self.target, type: "ATOM_PAIR", words: pairs.prefix(3).map(Self.atom) + [0])
  }

  private mutating func takes(_ type: String, _ bytes: [UInt8]) {
    property(.read, "DATA", of: Self.target, type: type, bytes)
    property(.deleted, "DATA", of: Self.target)
  }

  /// A window of the target that is not shown.
  static let hidden = WindowID(rawValue: 0x40_0003)
  static let proxy = WindowID(rawValue: 0x40_0002)
  static let unknown = "application/x-xdnd-probe-unknown"

  /// What a source has recorded of a target that does everything right.
  static var goodTarget: RecordedDrag {
    var drag = RecordedDrag(.source)
    drag.property(.read, "XdndAware", of: target, type: "ATOM", words: [5])
    drag.property(.read, "XdndProxy", of: target, type: "WINDOW", words: [proxy.rawValue])
    drag.property(.read, "XdndProxy", of: proxy, type: "WINDOW", words: [proxy.rawValue])
    // What is of no use is refused, also if it is dropped all the same.
    drag.enter([unknown])
    drag.position(200, 200, time: 1000)
    drag.status(0, nil, nil)
    drag.say(.drop, [source.rawValue, 0, 1010])
    drag.finished(0, nil)
    drag.enter(["UTF8_STRING"], version: 3)
    drag.position(200, 200, time: 1100)
    drag.status(1)
    drag.say(.leave, [source.rawValue])
    drag.enter(["text/uri-list"])
    drag.position(200, 200, time: 1200)
    drag.status(1, Rect(x: 150, y: 150, width: 100, height: 100))
    drag.say(.leave, [source.rawValue])
    drag.enter(["UTF8_STRING"])
    drag.position(200, 200, time: 1300)
    drag.status(3)
    drag.say(.drop, [source.rawValue, 0, 1310])
    drag.convert("UTF8_STRING", time: 1310) {
      $0.property(.written, "DATA", of: target, type: "INCR", words: [4])
      $0.property(.changed, "DATA", of: target)
    }
    drag.property(.removed, "DATA", of: target)
    for part in ["long", ""] {
      drag.property(.written, "DATA", of: target, type: "UTF8_STRING", Array(part.utf8))
      drag.property(.changed, "DATA", of: target)
      drag.property(.removed, "DATA", of: target)
    }
    drag.finished(1)
    drag.enter(["UTF8_STRING"])
    drag.position(200, 200, time: 1400)
    drag.status(3)
    drag.say(.drop, [source.rawValue, 0, 1410])
    drag.convert("UTF8_STRING", time: 1410, isRefused: true)
    drag.finished(0, nil)
    drag.dropUnanswered()
    drag.clock += 5000
    drag.finished(0, nil)
    drag.clock += 2000
    drag.owner(.none)
    return drag
  }
}
