package import XDnDX11

// Xlib stores the protocol's 32-bit numbers in a C `unsigned long`.

extension WindowID {
  package init(_ xid: XID) {
    self.init(rawValue: Format32.word(Int(bitPattern: xid)))
  }

  package var xid: XID { XID(rawValue) }
}

extension Atom {
  package init(_ atom: XDnDX11.Atom) {
    self.init(rawValue: Format32.word(Int(bitPattern: atom)))
  }
}

extension Timestamp {
  package init(_ time: Time) {
    self.init(rawValue: Format32.word(Int(bitPattern: time)))
  }

  package var xTime: Time { Time(rawValue) }
}
