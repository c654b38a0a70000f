/// Returns `s[0] · 31ⁿ⁻¹ + … + s[n−1]` in 32 bits, which is `hashCode` of Java's `String` for ASCII.
package func javaHash(_ text: [UInt8]) -> Int32 { text.reduce(0) { $0 &* 31 &+ Int32($1) } }
