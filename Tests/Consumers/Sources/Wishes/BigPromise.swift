import XDnD

/// Promises a file that is written when it is dropped, and shows the progress. A click stops it.
func promiseBigFile(_ dnd: DragAndDrop, in host: HostWindow, mebibytes: Int) {
  var item = DragItem()
  item.promise(
    FilePromise(named: "big.bin", type: .data, byteCount: mebibytes << 20) { request in
      request.fulfill(chunks: AsyncStream(unfolding: { [UInt8](repeating: 65, count: 1 << 20) }).prefix(mebibytes))
    })
  func follow(_ drag: DragSession) {
    host.onClick = { [weak drag] in drag?.cancelDelivery() }
    drag.onProgress = { show("\($0.receivedByteCount >> 20) of \(mebibytes) MiB") }
  }
  dnd.onDrag(in: host.id, items: { _ in [item] }, began: follow, ended: { show("\($1)") })
}
