/*
 * A script of the model, as people write it, in the first line, and a conversation in the others: "user
 * TEXT", "answer", "result TEXT", "image TEXT", "note TEXT", "tools [JSON]"; "quirks [NAMES]" changes what is
 * said from then on. A script that is refused leaves a sentence; one that is taken has an answer to whatever
 * is said, of whole characters, and calls with JSON but where it gives their text itself.
 */
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/json/json.h"
#include "base/text/utf8.h"
#include "fuzz/fuzz.h"
#include "playground/model/script/script.h"
#include "playground/server/fault.h"

#define LINES_MAX 24

/* Its calls are JSON. */
#define QUIRKS_OF_CALLS (QUIRK_BAD_ARGUMENTS | QUIRK_CUT_ARGUMENTS)

struct talk {
	struct script *script;
	struct conversation conversation;
	bool own_arguments; /* the script, or what it obeys, gives the text of arguments */
	unsigned quirks;
};

static void hold_text(const char *text)
{
	HOLDS(!text || utf8_valid(text, strlen(text)));
}

static void check_answer(const struct talk *talk, const struct script_answer *a)
{
	hold_text(a->text);
	hold_text(a->thinking);
	hold_text(a->finish_reason);
	HOLDS(a->chunk > 0);
	for (size_t i = 0; i < a->call_count; i++) {
		HOLDS(a->calls[i].name);
		if (!talk->own_arguments && !(talk->quirks & QUIRKS_OF_CALLS))
			json_object_put(fuzz_hold_json(a->calls[i].arguments));
	}
}

static void play(const struct talk *talk)
{
	struct script_answer answer;

	script_play(talk->script, &talk->conversation, &answer);
	script_answer_apply_quirks(&answer, talk->quirks);
	check_answer(talk, &answer);
	script_answer_clear(&answer);
}

/* Returns whether it is said, and not only known. */
static bool add_line(struct talk *talk, const char *name, const char *text)
{
	struct conversation *d = &talk->conversation;
	struct json_object *list = json_parse(text, strlen(text), NULL);
	bool is_list = json_object_is_type(list, json_type_array), said = true;

	if (strcmp(name, "user") == 0)
		conversation_add_user(d, text);
	else if (strcmp(name, "result") == 0)
		conversation_add_result(d, text);
	else if (strcmp(name, "image") == 0)
		conversation_add_image(d, text);
	else
		said = false;
	if (strcmp(name, "answer") == 0)
		conversation_add_answer(d);
	else if (strcmp(name, "note") == 0)
		conversation_add_note(d, text);
	else if (strcmp(name, "tools") == 0 && is_list)
		conversation_offer(d, list);
	else if (strcmp(name, "quirks") == 0 && is_list)
		quirk_read(list, &talk->quirks, NULL);
	json_object_put(list);
	return said;
}

static void converse(struct talk *talk, struct fuzz_input *in)
{
	for (size_t i = 0; i < LINES_MAX && in->at < in->end; i++) {
		size_t len, unused;
		char *line = fuzz_until(in, '\n', &len), *name, *text;
		struct buf clean = BUF_INIT;

		utf8_sanitize(&clean, line, len); /* in JSON it came so */
		struct fuzz_input one = {clean.data, clean.data + clean.len};
		name = fuzz_until(&one, ' ', &unused);
		text = fuzz_rest(&one, &unused);
		if (add_line(talk, name, text))
			play(talk);
		free(name);
		free(text);
		free(line);
		buf_clear(&clean);
	}
	play(talk);
}

static bool gives_arguments(const char *text, size_t len)
{
	struct json_object *o = json_parse_object(text, len, NULL);
	char *plain = json_text(o);
	bool gives = strstr(plain, "\"arguments_text\"") || strstr(plain, "\"obey\"");

	json_object_put(o);
	free(plain);
	return gives;
}

void fuzz_model_script(const uint8_t *data, size_t size)
{
	struct fuzz_input in = fuzz_open(data, size);
	size_t len;
	char *text = fuzz_until(&in, '\n', &len);
	struct error err = {0};
	struct talk talk = {.script = script_parse(text, len, &err)};

	if (talk.script) {
		talk.own_arguments = gives_arguments(text, len);
		converse(&talk, &in);
	} else {
		fuzz_hold_sentence(err.text);
	}
	conversation_clear(&talk.conversation);
	script_free(talk.script);
	free(text);
}

FUZZ_PROGRAM(fuzz_model_script)
