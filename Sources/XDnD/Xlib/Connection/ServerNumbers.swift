import CX11

// Xlib stores the protocol's 32-bit numbers in a C `unsigned long`.

extension WindowID {
  init(_ xid: XID) {
    self.init(rawValue: Format32.word(Int(bitPattern: xid)))
  }

  var xid: XID { XID(rawValue) }
}

extension Atom {
  init(_ atom: CX11.Atom) {
    self.init(rawValue: Format32.word(Int(bitPattern: atom)))
  }
}

extension Timestamp {
  init(_ time: Time) {
    self.init(rawValue: Format32.word(Int(bitPattern: time)))
  }

  var xTime: Time { Time(rawValue) }
}
