import Testing

@testable import XDnDToolWindow

/// When assistive technology is asked for, and how the window and its thread talk.
@Suite struct AccessibilityMailboxTests {
  private func mayHaveBus(_ variables: [String: String], hasBusProperty: Bool) -> Bool {
    AccessibilityEnvironment { variables[$0] }.mayHaveBus { hasBusProperty }
  }

  @Test func `there is assistive technology only with a session bus and an accessibility bus`() {
    let bus = ["DBUS_SESSION_BUS_ADDRESS": "unix:path=/run/bus"]
    #expect(mayHaveBus(bus, hasBusProperty: true))
    #expect(!mayHaveBus(bus, hasBusProperty: false))
    #expect(!mayHaveBus([:], hasBusProperty: true))
    #expect(!mayHaveBus(["XDG_RUNTIME_DIR": "/nonexistent"], hasBusProperty: true))
    #expect(!mayHaveBus(["DBUS_SESSION_BUS_ADDRESS": "disabled:"], hasBusProperty: true))
  }

  @Test func `a Wayland session and an explicit address need no property`() {
    let bus = ["DBUS_SESSION_BUS_ADDRESS": "unix:path=/run/bus"]
    for more in [["WAYLAND_DISPLAY": "wayland-0"], ["AT_SPI_BUS_ADDRESS": "unix:path=/run/at-spi"]] {
      #expect(mayHaveBus(bus.merging(more) { $1 }, hasBusProperty: false))
    }
  }

  @Test func `the switch of the bridge turns it off without a question`() {
    for (value, isOff) in [("1", true), ("0", false), ("", false)] {
      let environment = AccessibilityEnvironment {
        ["DBUS_SESSION_BUS_ADDRESS": "unix:path=/run/bus", "NO_AT_BRIDGE": value][$0]
      }
      var questions = 0
      _ = environment.mayHaveBus {
        questions += 1
        return true
      }
      #expect((questions == 0) == isOff)
    }
  }

  @Test func `messages wait for assistive technology, the latest sixteen of them`() {
    let mailbox = AccessibilityMailbox()
    for number in 1...20 { mailbox.post(announcement: "\(number)") }
    mailbox.turnOn()
    #expect(mailbox.isOn)
    #expect(mailbox.takeRequests() == [.snapshot])
    #expect(mailbox.takeMail().announcements == (5...20).map(String.init))
    #expect(mailbox.takeMail().announcements == [])
  }

  @Test func `requests are taken once, in order`() {
    let mailbox = AccessibilityMailbox()
    mailbox.post(.act(.button(1)))
    mailbox.post(.select(.add(2)))
    #expect(mailbox.takeRequests() == [.act(.button(1)), .select(.add(2))])
    #expect(mailbox.takeRequests() == [])
  }

  @Test func `the thread learns that the window is closed`() {
    let mailbox = AccessibilityMailbox()
    #expect(!mailbox.takeMail().isClosed)
    mailbox.end()
    #expect(mailbox.takeMail().isClosed)
  }
}
