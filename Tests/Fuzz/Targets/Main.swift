import Glibc

/// The target of this process, which the environment variable `XDND_FUZZ_TARGET` names: libFuzzer starts the program again with
/// arguments of its own.
private let target: FuzzTarget = {
  let name = getenv("XDND_FUZZ_TARGET").map { String(cString: $0) } ?? ""
  guard let target = FuzzTarget.all.first(where: { $0.name == name }) else {
    report("XDND_FUZZ_TARGET names no target: '\(name)'")
    exit(64)
  }
  return target
}()

/// Whether a fault is planted in the target: the environment variable `XDND_PLANT` has its name.
private let isPlanted = getenv("XDND_PLANT").map { String(cString: $0) == target.name } ?? false

/// Part of libFuzzer.
@_silgen_name("LLVMFuzzerRunDriver")
private func runFuzzer(
  _ count: UnsafeMutablePointer<Int32>,
  _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
  _ run: @convention(c) (UnsafePointer<UInt8>?, Int) -> Int32
) -> Int32

/// The entry point. SwiftPM links this symbol as `main`, so libFuzzer's own is not used. `--list` prints the targets with their
/// longest inputs.
@_cdecl("Fuzz_main")
func startFuzzing(_ count: Int32, _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> Int32 {
  if count > 1, let first = arguments[1], String(cString: first) == "--list" {
    for target in FuzzTarget.all { print(target.name, target.longest) }
    return 0
  }
  var (count, arguments) = (count, arguments)
  return runFuzzer(&count, &arguments) { testOneInput($0, $1) }
}

/// Called with each input. libFuzzer's own `main`, which is linked and not called, refers to it by this name.
@_cdecl("LLVMFuzzerTestOneInput")
func testOneInput(_ data: UnsafePointer<UInt8>?, _ size: Int) -> Int32 {
  target.feed(Array(UnsafeBufferPointer(start: data, count: size)), isPlanted: isPlanted)
  return 0
}
