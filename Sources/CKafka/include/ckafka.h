#pragma once
/// librdkafka, where it is installed. The package trait Kafka links it; without the trait nothing of this is used.
#if __has_include(<librdkafka/rdkafka.h>)
#include <librdkafka/rdkafka.h>
#include <librdkafka/rdkafka_mock.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A header of a message. The name ends with NUL.
typedef struct ckafka_header {
  const char *name;
  const void *value;
  size_t length;
} ckafka_header;

/// Hands a message to a producer, which copies it. Swift cannot call the variadic function rd_kafka_producev.
///
/// A null key means that there is none. If 0 is returned, a delivery report with `opaque` follows; otherwise none does.
rd_kafka_resp_err_t ckafka_produce(
    rd_kafka_t *producer, const char *topic, const void *key, size_t key_length, const void *value, size_t length,
    const ckafka_header *headers, size_t header_count, void *opaque);

#ifdef __cplusplus
}
#endif
#endif
