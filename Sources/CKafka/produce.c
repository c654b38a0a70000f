#include "ckafka.h"

// The file is also compiled without the trait, and must then need nothing.
#ifdef ENCIRCLE_KAFKA
rd_kafka_resp_err_t ckafka_produce(
    rd_kafka_t *producer, const char *topic, const void *key, size_t key_length, const void *value, size_t length,
    const ckafka_header *headers, size_t header_count, void *opaque) {
  rd_kafka_headers_t *list = rd_kafka_headers_new(header_count);
  for (size_t i = 0; i < header_count; i++)
    rd_kafka_header_add(list, headers[i].name, -1, headers[i].value, (ssize_t)headers[i].length);
  rd_kafka_resp_err_t error = rd_kafka_producev(
      producer, RD_KAFKA_V_TOPIC(topic), RD_KAFKA_V_MSGFLAGS(RD_KAFKA_MSG_F_COPY), RD_KAFKA_V_KEY(key, key_length),
      RD_KAFKA_V_VALUE((void *)value, length), RD_KAFKA_V_HEADERS(list), RD_KAFKA_V_OPAQUE(opaque), RD_KAFKA_V_END);
  // The producer owns the headers only if it took the message.
  if (error) rd_kafka_headers_destroy(list);
  return error;
}
#else
typedef int ckafka_unused;
#endif
