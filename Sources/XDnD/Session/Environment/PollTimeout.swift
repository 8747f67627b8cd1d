extension ContinuousClock.Instant {
  /// The time until then as the timeout of `poll`, rounded up, because waking early would only poll again; 0 for the past.
  package var pollTimeout: CInt {
    let (seconds, attoseconds) = max(.zero, self - .now).components
    return CInt(clamping: seconds * 1000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
  }
}
