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

/// Called by libFuzzer at the start. `--list` prints the targets with their longest inputs.
@_cdecl("LLVMFuzzerInitialize")
func initializeFuzzer(
  _ count: UnsafeMutablePointer<Int32>,
  _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>
) -> Int32 {
  if count.pointee > 1, let first = arguments.pointee[1], String(cString: first) == "--list" {
    for target in FuzzTarget.all { print(target.name, target.longest) }
    fflush(nil)
    exit(0)
  }
  return 0
}

/// Called by libFuzzer with each input.
@_cdecl("LLVMFuzzerTestOneInput")
func testOneInput(_ data: UnsafePointer<UInt8>?, _ size: Int) -> Int32 {
  target.feed(Array(UnsafeBufferPointer(start: data, count: size)), isPlanted: isPlanted)
  return 0
}
