extension ContinuousClock.Instant {
  /// The time until this instant as a timeout of `poll`, rounded up, because an early wakeup would only poll again; 0
  /// for the past.
  ///
  /// Limited to the longest timeout of `poll`, after which the caller computes it again.
  package var pollTimeout: CInt {
    let longest = Duration.milliseconds(CInt.max)
    let (seconds, attoseconds) = min(max(.zero, self - .now), longest).components
    return CInt(clamping: seconds * 1000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
  }
}
