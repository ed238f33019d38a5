#ifndef PLAYGROUND_DISCORD_GATEWAY_ETF_H
#define PLAYGROUND_DISCORD_GATEWAY_ETF_H
/* Erlang's External Term Format, which a gateway connection with encoding=etf speaks: JSON values as terms.
 * Erlang's own library, ei, knows no JSON: what is here would stay, but for the bytes of numbers. */
#include <stdbool.h>
#include <stddef.h>

struct buf;
struct error;
struct json_object;

/* Appends o as Discord sends it: names of members are atoms, snowflakes beyond 32 bits integers. */
void etf_write(struct buf *out, struct json_object *o);
/* Returns NULL with err for anything but one complete term that JSON can express, and for nil. atom_keys:
 * maps may have atoms as keys; Discord refuses them in what clients send. */
struct json_object *etf_read(const char *data, size_t len, bool atom_keys, struct error *err);

#endif
