// Hashes, by the system's own library: CryptoKit on Apple's platforms, OpenSSL's libcrypto elsewhere.

#if canImport(CryptoKit)
  import CryptoKit
#else
  import CLibcrypto
#endif

/// The state of a SHA-256 computation (FIPS 180-4). A copy of it is independent, so that texts with a common beginning
/// share the work for the beginning.
struct SHA256State {
  #if canImport(CryptoKit)
    private var state = SHA256()
  #else
    private var state = SHA256_CTX()
  #endif

  init() {
    #if !canImport(CryptoKit)
      SHA256_Init(&state)
    #endif
  }

  /// Adds bytes.
  ///
  /// - Complexity: O(bytes).
  mutating func update(_ bytes: UnsafeRawBufferPointer) {
    #if canImport(CryptoKit)
      state.update(bufferPointer: bytes)
    #else
      SHA256_Update(&state, bytes.baseAddress, bytes.count)
    #endif
  }

  /// Ends the computation and calls `body` with the 32 bytes of the digest.
  consuming func withDigest<R>(_ body: (UnsafeRawBufferPointer) -> R) -> R {
    #if canImport(CryptoKit)
      return state.finalize().withUnsafeBytes(body)
    #else
      return withUnsafeTemporaryAllocation(byteCount: Int(SHA256_DIGEST_LENGTH), alignment: 8) { digest in
        SHA256_Final(digest.assumingMemoryBound(to: UInt8.self).baseAddress, &state)
        return body(UnsafeRawBufferPointer(digest))
      }
    #endif
  }
}

/// Returns the 16 bytes of the MD5 (RFC 1321), which the `lede` style uses for its ids.
func md5(_ bytes: [UInt8]) -> [UInt8] {
  #if canImport(CryptoKit)
    return Array(Insecure.MD5.hash(data: bytes))
  #else
    var digest = [UInt8](repeating: 0, count: Int(MD5_DIGEST_LENGTH))
    MD5(bytes, bytes.count, &digest)
    return digest
  #endif
}
