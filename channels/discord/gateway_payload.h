#ifndef CHANNELS_DISCORD_GATEWAY_PAYLOAD_H
#define CHANNELS_DISCORD_GATEWAY_PAYLOAD_H
/* Payloads to the gateway (v10). Pure; each function appends one JSON text. */
#include <stdbool.h>
#include <stdint.h>

struct buf;
struct discord_gateway_session;

enum discord_op {
	DISCORD_OP_DISPATCH = 0,
	DISCORD_OP_HEARTBEAT = 1,
	DISCORD_OP_IDENTIFY = 2,
	DISCORD_OP_RESUME = 6,
	DISCORD_OP_RECONNECT = 7,
	DISCORD_OP_INVALID_SESSION = 9,
	DISCORD_OP_HELLO = 10,
	DISCORD_OP_ACK = 11
};

/* seq: of the last event received; has_seq: there was one. */
void discord_gateway_payload_heartbeat(struct buf *out, int64_t seq, bool has_seq);
/* Identifies as number shard of so many shards. */
void discord_gateway_payload_identify(
    struct buf *out, const char *token, bool content, unsigned shard, unsigned shards);
void discord_gateway_payload_resume(
    struct buf *out, const char *token, const struct discord_gateway_session *session);
/* Returns the gateway URL with version and encoding. The caller frees it. */
char *discord_gateway_payload_url(const char *base);

#endif
