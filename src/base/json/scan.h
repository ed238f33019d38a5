#ifndef BASE_JSON_SCAN_H
#define BASE_JSON_SCAN_H
/*
 * Finds errors that json-c 0.16 accepts even in strict mode, token by token: bad UTF-8, single quotes,
 * NaN, raw control characters, "1.", integers beyond 64 bits, more than JSON_DEPTH levels. json-c checks
 * the grammar.
 */
#include <stddef.h>

struct error;

/* Returns 0, or -1 with ERROR_OURS, which names the first error and its byte. */
int json_scan(const char *text, size_t len, struct error *err);

#endif
