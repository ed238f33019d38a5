#ifndef PLAYGROUND_SERVER_QUIRK_H
#define PLAYGROUND_SERVER_QUIRK_H
/* What answers of some models and servers have that others have not. Several may come together, as bits. */

struct error;
struct json_object;

enum quirk {
	/* Content. */
	QUIRK_EMPTY = 1 << 0,         /* nothing */
	QUIRK_BAD_ARGUMENTS = 1 << 1, /* call arguments are not JSON */
	QUIRK_CUT_ARGUMENTS = 1 << 2, /* call arguments end early, finish_reason is length */
	QUIRK_TEXT_CALLS = 1 << 3,    /* calls are written as text */
	/* Encoding. */
	QUIRK_SAME_ID = 1 << 4, /* all calls have the same id */
	QUIRK_NO_ID = 1 << 5,
	QUIRK_FAR_INDEX = 1 << 6,        /* indexes of calls, blocks and items start at 7 with gaps */
	QUIRK_ZERO_INDEX = 1 << 7,       /* chat: every call has index 0 */
	QUIRK_NO_INDEX = 1 << 8,         /* chat */
	QUIRK_OBJECT_ARGUMENTS = 1 << 9, /* chat: arguments are an object, not a string */
	QUIRK_NO_USAGE = 1 << 10,
	QUIRK_NO_DONE = 1 << 11,    /* chat: the stream ends without [DONE] */
	QUIRK_SURROGATES = 1 << 12, /* characters beyond U+FFFF are split into surrogates, one event each */
	/* Transport. */
	QUIRK_BOM = 1 << 13,
	QUIRK_CRLF = 1 << 14,
	QUIRK_CR = 1 << 15,
	QUIRK_BYTES = 1 << 16, /* one byte per write */
};

/* Reads an array of names. Returns -1 with err. */
int quirk_read(struct json_object *names, unsigned *quirks, struct error *err);

#endif
