/* A bot of the simulated Discord (fuzz/client.h): its requests, also with files, and its connections to the
 * gateway. "term {payload}" sends a payload in Erlang's format. */
#include <string.h>

#include "base/buf.h"
#include "base/json/json.h"
#include "fuzz/client.h"
#include "playground/discord/discord.h"
#include "playground/discord/gateway/gateway.h"

#define TOKEN "OTk5MDAwMDAwMDAwMDAwMDAw.GfuzzA.abcdefghijklmnopqrstuvwxyz0123456789AB"

static const char *authorize(const char *path)
{
	return strncmp(path, "/discord/api/", 13) == 0 ? "Bot " TOKEN : NULL;
}

static void hold_message(struct json_object *o)
{
	int64_t op = json_get_int(o, "op", -1);

	HOLDS(op == CORD_OP_DISPATCH || op == CORD_OP_HEARTBEAT || op == CORD_OP_RECONNECT ||
	    (op >= CORD_OP_INVALID_SESSION && op <= CORD_OP_ACK));
	HOLDS((op == CORD_OP_DISPATCH) == (json_get_str(o, "t") != NULL));
	HOLDS((op == CORD_OP_DISPATCH) == (json_get_int(o, "s", 0) > 0));
}

/* Discord: topics/opcodes-and-status-codes, Gateway Close Event Codes. */
static bool is_close_code(unsigned code)
{
	return code >= CORD_CLOSE_UNKNOWN && code <= CORD_CLOSE_DISALLOWED_INTENTS && code != 4006;
}

static void add_number(struct buf *out, uint32_t number)
{
	const char bytes[] = {(char)(number >> 24), (char)(number >> 16), (char)(number >> 8), (char)number};

	buf_add(out, bytes, sizeof(bytes));
}

static void add_binary(struct buf *out, const char *text, size_t len)
{
	buf_addch(out, 'm');
	add_number(out, (uint32_t)len);
	buf_add(out, text, len);
}

/* As libraries do: with strings as keys. */
static void add_term(struct buf *out, struct json_object *o)
{
	if (json_object_is_type(o, json_type_object)) {
		buf_addch(out, 't');
		add_number(out, (uint32_t)json_object_object_length(o));
		json_object_object_foreach(o, key, value) {
			add_binary(out, key, strlen(key));
			add_term(out, value);
		}
	} else if (json_object_is_type(o, json_type_array)) {
		buf_addch(out, 'l');
		add_number(out, (uint32_t)json_count(o));
		json_each(o, item)
			add_term(out, item);
		buf_addch(out, 'j');
	} else if (json_object_is_type(o, json_type_int)) {
		buf_addch(out, 'b');
		add_number(out, (uint32_t)json_object_get_int64(o));
	} else if (json_object_is_type(o, json_type_string)) {
		add_binary(out, json_object_get_string(o), (size_t)json_object_get_string_len(o));
	} else {
		const char *atom = o ? json_object_get_string(o) : "nil";

		buf_addch(out, 's');
		buf_addch(out, (char)strlen(atom));
		buf_addstr(out, atom);
	}
}

static void call(struct fuzz_stage *s, const char *name, struct json_object *members)
{
	struct buf term = BUF_INIT;

	if (strcmp(name, "term") == 0) {
		buf_addch(&term, (char)131);
		add_term(&term, members);
		fuzz_client_send((struct fuzz_client *)s, 2, term.data, term.len);
		buf_clear(&term);
	} else {
		fuzz_client_call(s, name, members);
	}
}

void fuzz_discord_bot(const uint8_t *data, size_t size)
{
	static const struct fuzz_client_kind kind = {
	    &discord_platform, "/discord/api/v10", authorize, hold_message, is_close_code};
	struct fuzz_client c;
	struct cord_world *w;

	fuzz_client_open(&c, &kind);
	w = c.stage.world;
	w->settings.limits = false;
	w->settings.members = w->settings.presences = true;
	cord_bot_of_token(w, TOKEN);
	fuzz_stage_play(&c.stage, data, size, call);
	fuzz_client_close(&c);
}

FUZZ_PROGRAM(fuzz_discord_bot)
