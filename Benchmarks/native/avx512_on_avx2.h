// The AVX-512 intrinsics that the native yardstick uses, on AVX2, BMI2 and AES-NI.
//
//     g++ -O3 -march=native -std=c++17 -include avx512_on_avx2.h limit.cpp -lsimdjson
//
// The yardstick is written for AVX-512 with VBMI2 and VAES. This header is included before it, so that it compiles
// unchanged and runs on processors that have none of the three. A vector is a pair of 256-bit halves; what AVX2 has no
// instruction for (a masked load of bytes, compressing bytes) is done with tables.
//
// Assumptions that need not hold elsewhere: every mask of a load or store is a prefix (the low n bits), which is asserted
// in debug builds. Loads may read beyond the mask, but never touch another page for that.
//
// simdjson and the system's headers come first: they check the macros that describe the processor, and must see their true
// values. The yardstick checks the same macros, and must not.
#pragma once
#include <simdjson.h>

#include <immintrin.h>

#include <cassert>
#include <cstdint>
#include <cstring>

#if !defined(__AVX2__) || !defined(__BMI2__) || !defined(__AES__) || !defined(__PCLMUL__)
#error "needs AVX2, BMI2, AES-NI and PCLMULQDQ; build with -march=native"
#endif

namespace avx2 {

#define AVX2_INLINE static inline __attribute__((always_inline))

struct Vector {
  __m256i low, high;
};

// ------------------------------------------------------------------ whole vectors

AVX2_INLINE Vector load(const void* p) {
  auto q = (const __m256i*)p;
  return {_mm256_loadu_si256(q), _mm256_loadu_si256(q + 1)};
}
AVX2_INLINE void store(void* p, Vector a) {
  auto q = (__m256i*)p;
  _mm256_storeu_si256(q, a.low);
  _mm256_storeu_si256(q + 1, a.high);
}
AVX2_INLINE Vector zero() { return {_mm256_setzero_si256(), _mm256_setzero_si256()}; }
AVX2_INLINE Vector fill8(char x) { return {_mm256_set1_epi8(x), _mm256_set1_epi8(x)}; }
AVX2_INLINE Vector fill32(int x) { return {_mm256_set1_epi32(x), _mm256_set1_epi32(x)}; }
AVX2_INLINE Vector bitOr(Vector a, Vector b) { return {_mm256_or_si256(a.low, b.low), _mm256_or_si256(a.high, b.high)}; }
AVX2_INLINE Vector bitXor(Vector a, Vector b) { return {_mm256_xor_si256(a.low, b.low), _mm256_xor_si256(a.high, b.high)}; }
AVX2_INLINE Vector add32(Vector a, Vector b) { return {_mm256_add_epi32(a.low, b.low), _mm256_add_epi32(a.high, b.high)}; }
AVX2_INLINE Vector add64(Vector a, Vector b) { return {_mm256_add_epi64(a.low, b.low), _mm256_add_epi64(a.high, b.high)}; }
AVX2_INLINE long long sum64(Vector a) {
  __m256i x = _mm256_add_epi64(a.low, a.high);
  __m128i y = _mm_add_epi64(_mm256_castsi256_si128(x), _mm256_extracti128_si256(x, 1));
  return _mm_extract_epi64(y, 0) + _mm_extract_epi64(y, 1);
}
AVX2_INLINE uint64_t equal8(Vector a, Vector b) {
  uint32_t low = _mm256_movemask_epi8(_mm256_cmpeq_epi8(a.low, b.low));
  uint32_t high = _mm256_movemask_epi8(_mm256_cmpeq_epi8(a.high, b.high));
  return (uint64_t)high << 32 | low;
}
AVX2_INLINE __m128i lowest(Vector a) { return _mm256_castsi256_si128(a.low); }
template <int lane>
AVX2_INLINE __m128i lane128(Vector a) {
  return _mm256_extracti128_si256(lane < 2 ? a.low : a.high, lane & 1);
}
AVX2_INLINE Vector widen8to32(__m128i a) {
  return {_mm256_cvtepu8_epi32(a), _mm256_cvtepu8_epi32(_mm_srli_si128(a, 8))};
}
AVX2_INLINE __m256i aesRound(__m256i a, __m256i key) {
#ifdef __VAES__
  return _mm256_aesenc_epi128(a, key);
#else
  __m128i low = _mm_aesenc_si128(_mm256_castsi256_si128(a), _mm256_castsi256_si128(key));
  __m128i high = _mm_aesenc_si128(_mm256_extracti128_si256(a, 1), _mm256_extracti128_si256(key, 1));
  return _mm256_set_m128i(high, low);
#endif
}
AVX2_INLINE Vector aesRound(Vector a, Vector key) { return {aesRound(a.low, key.low), aesRound(a.high, key.high)}; }

// ------------------------------------------------------------------ masks

// 64 bytes of ones and 64 of zeros: read at 64 - n it is the byte mask of the first n bytes.
struct PrefixTable {
  alignas(64) uint8_t bytes[128];
  constexpr PrefixTable() : bytes() {
    for (int i = 0; i < 64; i++) bytes[i] = 0xFF;
  }
};
inline constexpr PrefixTable prefixes;

AVX2_INLINE bool isPrefix(uint64_t mask) { return (mask & (mask + 1)) == 0; }
AVX2_INLINE bool crossesPage(const void* p, unsigned bytes) { return ((uintptr_t)p & 4095) > 4096 - bytes; }

AVX2_INLINE Vector loadPrefix(uint64_t mask, const void* p) {
  assert(isPrefix(mask));
  size_t n = _mm_popcnt_u64(mask);
  Vector keep = load(prefixes.bytes + 64 - n), all;
  if (__builtin_expect(crossesPage(p, 64), 0)) {
    alignas(64) uint8_t copy[64];
    memcpy(copy, p, n);
    all = load(copy);
  } else {
    all = load(p);
  }
  return {_mm256_and_si256(all.low, keep.low), _mm256_and_si256(all.high, keep.high)};
}
AVX2_INLINE __m128i loadPrefix16(uint32_t mask, const void* p) {
  assert(isPrefix(mask));
  size_t n = _mm_popcnt_u32(mask);
  __m128i keep = _mm_loadu_si128((const __m128i*)(prefixes.bytes + 64 - n));
  if (__builtin_expect(crossesPage(p, 16), 0)) {
    alignas(16) uint8_t copy[16];
    memcpy(copy, p, n);
    return _mm_and_si128(_mm_load_si128((const __m128i*)copy), keep);
  }
  return _mm_and_si128(_mm_loadu_si128((const __m128i*)p), keep);
}
AVX2_INLINE void storePrefix(void* p, uint64_t mask, Vector a) {
  assert(isPrefix(mask));
  if (mask == ~0ull) return store(p, a);
  alignas(64) uint8_t copy[64];
  store(copy, a);
  memcpy(p, copy, _mm_popcnt_u64(mask));
}

// ------------------------------------------------------------------ compressing bytes

// For every mask of eight bits the shuffle that brings the chosen bytes to the front: of the lower half of sixteen bytes,
// and of the upper.
struct CompressTable {
  alignas(64) uint8_t lower[256][8], upper[256][8];
  constexpr CompressTable() : lower(), upper() {
    for (int mask = 0; mask < 256; mask++) {
      int n = 0;
      for (int i = 0; i < 8; i++)
        if (mask >> i & 1) {
          lower[mask][n] = i;
          upper[mask][n++] = i + 8;
        }
      for (; n < 8; n++) lower[mask][n] = upper[mask][n] = 0x80;
    }
  }
};
inline constexpr CompressTable compressing;

AVX2_INLINE void compress16(uint8_t*& out, __m128i bytes, uint32_t mask) {
  __m128i shuffle = _mm_loadl_epi64((const __m128i*)compressing.lower[mask & 255]);
  shuffle = _mm_castpd_si128(_mm_loadh_pd(_mm_castsi128_pd(shuffle), (const double*)compressing.upper[mask >> 8 & 255]));
  __m128i chosen = _mm_shuffle_epi8(bytes, shuffle);
  _mm_storel_epi64((__m128i*)out, chosen);
  out += _mm_popcnt_u32(mask & 255);
  _mm_storeh_pd((double*)out, _mm_castsi128_pd(chosen));
  out += _mm_popcnt_u32(mask >> 8 & 255);
}
AVX2_INLINE Vector compress8(uint64_t mask, Vector a) {
  alignas(64) uint8_t chosen[72];
  uint8_t* out = chosen;
  compress16(out, lane128<0>(a), (uint32_t)mask);
  compress16(out, lane128<1>(a), (uint32_t)(mask >> 16));
  compress16(out, lane128<2>(a), (uint32_t)(mask >> 32));
  compress16(out, lane128<3>(a), (uint32_t)(mask >> 48));
  return load(chosen);  // after the last chosen byte there is anything; see maskz_compress below
}

}  // namespace avx2

// ------------------------------------------------------------------ the names of AVX-512

#ifndef __AVX512VBMI2__
#define __AVX512VBMI2__ 1
#endif
#ifndef __VAES__
#define __VAES__ 1
#endif
#define __m512i avx2::Vector
#define _mm512_loadu_si512 avx2::load
#define _mm512_storeu_si512 avx2::store
#define _mm512_setzero_si512 avx2::zero
#define _mm512_set1_epi8 avx2::fill8
#define _mm512_set1_epi32 avx2::fill32
#define _mm512_or_si512 avx2::bitOr
#define _mm512_xor_si512 avx2::bitXor
#define _mm512_add_epi32 avx2::add32
#define _mm512_add_epi64 avx2::add64
#define _mm512_reduce_add_epi64 avx2::sum64
#define _mm512_cmpeq_epi8_mask avx2::equal8
#define _mm512_mask_cmpeq_epi8_mask(mask, a, b) ((mask) & avx2::equal8(a, b))
#define _mm512_castsi512_si128 avx2::lowest
#define _mm512_extracti32x4_epi32(a, lane) avx2::lane128<lane>(a)
#define _mm512_cvtepu8_epi32 avx2::widen8to32
#define _mm512_aesenc_epi128(a, key) avx2::aesRound(a, key)
#define _mm512_maskz_loadu_epi8 avx2::loadPrefix
#define _mm_maskz_loadu_epi8 avx2::loadPrefix16
#define _mm512_mask_storeu_epi8 avx2::storePrefix
// The instruction zeroes the bytes after the chosen ones. The yardstick never reads them, so no time is spent on that.
#define _mm512_maskz_compress_epi8 avx2::compress8
