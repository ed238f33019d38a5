#ifndef PLAYGROUND_SERVER_QUIRK_H
#define PLAYGROUND_SERVER_QUIRK_H
/* What answers of some models and servers have that others have not. Several may come together, as bits. */

struct error;
struct json_object;

enum quirk {
	/* What is said. */
	QUIRK_EMPTY = 1 << 0,         /* nothing */
	QUIRK_BAD_ARGUMENTS = 1 << 1, /* arguments of calls are no JSON */
	QUIRK_CUT_ARGUMENTS = 1 << 2, /* they end in the middle, and the answer was cut by its length */
	QUIRK_TEXT_CALLS = 1 << 3,    /* calls are written as text */
	/* How it is written. */
	QUIRK_SAME_ID = 1 << 4, /* calls have one id */
	QUIRK_NO_ID = 1 << 5,
	QUIRK_FAR_INDEX = 1 << 6,  /* indexes of calls, blocks and items begin at 7 and leave some out */
	QUIRK_ZERO_INDEX = 1 << 7, /* chat: each call has index 0 */
	QUIRK_NO_INDEX = 1 << 8,   /* chat */
	QUIRK_OBJECT_ARGUMENTS = 1 << 9, /* chat: an object instead of its text */
	QUIRK_NO_USAGE = 1 << 10,
	QUIRK_NO_DONE = 1 << 11, /* chat: the stream ends without [DONE] */
	QUIRK_SURROGATES =
	    1 << 12, /* characters beyond U+FFFF come as two halves, each in an event of its own */
	/* How it is sent. */
	QUIRK_BOM = 1 << 13,
	QUIRK_CRLF = 1 << 14,
	QUIRK_CR = 1 << 15,
	QUIRK_BYTES = 1 << 16, /* each byte by itself */
};

/* The names in the array as bits; -1 with err. */
int quirk_read(struct json_object *names, unsigned *quirks, struct error *err);

#endif
