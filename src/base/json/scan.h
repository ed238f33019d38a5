#ifndef BASE_JSON_SCAN_H
#define BASE_JSON_SCAN_H
/*
 * Finds errors that json-c 0.16 accepts even in strict mode, token by token: bad UTF-8, single quotes,
 * NaN, raw control characters, "1.", integers beyond 64 bits, more than JSON_DEPTH levels. json-c checks
 * the grammar.
 */
#include <stddef.h>

struct error;

int json_scan(const char *text, size_t len, struct error *err);

#endif
