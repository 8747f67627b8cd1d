import XDnD

/// The properties by which a window announces that it accepts drops.
enum TargetWindowRules {
  static let all = [awareVersion, proxySelf]

  static let awareVersion = ConformanceRule(
    "aware-version", of: .target, "XdndAware is an ATOM of format 32 and says a version from 3 to 5.",
    from: "XDND, XdndAware", peers: ["Chromium 132", "GTK 4.16.1"], unseen: "no look at XdndAware"
  ) { trace, result in
    let proxied = trace.properties("XdndProxy").filter { $0.property.change == .read && !$0.property.words.isEmpty }
    for (number, property) in trace.properties("XdndAware") where property.change == .read {
      // The proxy announces the version instead.
      if property.type == nil, proxied.contains(where: { $0.property.window == property.window }) { continue }
      let version = property.words.first
      result.require(
        property.type?.rawValue == "ATOM" && property.format == 32 && (3...5).contains(version ?? 0),
        "#\(number) XdndAware is \(property.type.orNone) of format \(property.format): "
          + (version.map(String.init) ?? "nothing"))
    }
  }

  static let proxySelf = ConformanceRule(
    "proxy-self", of: .target, "The window that XdndProxy names has an XdndProxy that names itself.",
    from: "XDND, XdndProxy", peers: ["Chromium 132", "GTK 4.16.1"], unseen: "no XdndProxy"
  ) { trace, result in
    let proxies = trace.properties("XdndProxy").filter { $0.property.change == .read }
    for (number, property) in proxies {
      guard let proxy = property.words.first.map(WindowID.init(rawValue:)), proxy != property.window else { continue }
      guard let own = proxies.first(where: { $0.property.window == proxy })?.property.words else { continue }
      result.require(
        own.first == proxy.rawValue,
        "#\(number) XdndProxy is \(proxy), whose own XdndProxy is \(own.first.map(hexadecimal) ?? "not there")")
    }
  }
}
