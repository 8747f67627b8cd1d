extension ContinuousClock.Instant {
  /// The time until then as the timeout of `poll`, rounded up, because waking early would only poll again; 0 for the past.
  ///
  /// For a later time than `poll` can wait for, it is the longest timeout, after which the caller asks again.
  package var pollTimeout: CInt {
    let longest = Duration.milliseconds(CInt.max)
    let (seconds, attoseconds) = min(max(.zero, self - .now), longest).components
    return CInt(clamping: seconds * 1000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
  }
}
