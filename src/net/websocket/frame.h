#ifndef NET_WEBSOCKET_FRAME_H
#define NET_WEBSOCKET_FRAME_H
/*
 * The frames of a WebSocket (RFC 6455, 5), as a client reads and writes them: those of the server are not
 * masked, ours are. libwebsockets' own client takes 80 instructions for each byte that it reads; wslay, with
 * which the playground serves, does not take the close code 1012.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FRAME_CONTROL_MAX 125 /* bytes of a control frame's payload */
#define FRAME_HEAD_MAX    14  /* bytes before the payload of one that we write */

enum frame_opcode {
	FRAME_CONTINUATION = 0,
	FRAME_TEXT = 1,
	FRAME_BINARY = 2,
	FRAME_CLOSE = 8,
	FRAME_PING = 9,
	FRAME_PONG = 10
};

enum frame_event {
	FRAME_MORE,  /* all bytes were read */
	FRAME_PIECE, /* of a message: piece, piece_len */
	FRAME_CONTROL,
	FRAME_BAD /* it broke the protocol: nothing after it is read */
};

struct frame_reader { /* zeroed before first use */
	unsigned char head[10];
	size_t head_len;
	enum frame_opcode opcode; /* of the frame */
	uint64_t left;            /* bytes of its payload after the piece */
	bool in_payload, fresh;
	bool final;     /* it is the last of its message, or a control frame */
	bool continues; /* the message has not ended */
	bool binary;    /* of the message */
	bool bad;
	const unsigned char *piece;
	size_t piece_len;
	unsigned char control[FRAME_CONTROL_MAX];
	size_t control_len;
};

/* Reads from *at to the next event, and moves *at behind it. A piece may be empty: the first of each frame
 * comes as soon as its length is known. It ends the message when final is set and nothing is left. */
enum frame_event frame_read(struct frame_reader *f, const unsigned char **at, const unsigned char *end);

/* Masks the payload, and writes the head before it, where there must be room for FRAME_HEAD_MAX bytes.
 * Returns the length of the head. */
size_t frame_write(unsigned char *payload, size_t len, enum frame_opcode opcode);

#endif
