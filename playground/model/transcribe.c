#include <string.h>
#include <strings.h>

#include "base/text/utf8.h"
#include "playground/model/api.h"
#include "playground/server/form.h"

#define SIZE_LIMIT (25 << 20)
/* Audio is not decoded: one second per this many bytes, rounded up, and this many tokens per second. */
#define SECOND_BYTES  2000
#define SECOND_TOKENS 10
#define TOKEN_BYTES   4

static bool is_one_of(const char *const *names, size_t count, const char *name)
{
	for (size_t i = 0; i < count; i++)
		if (strcasecmp(names[i], name) == 0)
			return true;
	return false;
}

static int check_names(struct json_object *form, struct refusal *r)
{
	static const char *const known[] = {
	    "file", "model", "language", "prompt", "response_format", "temperature"};

	json_object_object_foreach(form, name, value) {
		(void)value;
		if (!is_one_of(known, ARRAY_LEN(known), name))
			return refuse(r, "unknown_parameter", name, "Unknown parameter: '%.60s'.", name);
	}
	return 0;
}

static int check_file(struct json_object *file, struct refusal *r)
{
	static const char *const endings[] = {
	    "flac", "m4a", "mp3", "mp4", "mpeg", "mpga", "oga", "ogg", "wav", "webm"};
	const char *name = json_get_str(file, "filename"), *ending = name ? strrchr(name, '.') : NULL;
	int64_t bytes = json_get_int(file, "bytes", 0);

	if (!name)
		return refuse_missing(r, "file", NULL);
	if (!ending || !is_one_of(endings, ARRAY_LEN(endings), ending + 1))
		return refuse(r, NULL, "file",
		    "Invalid file format. Supported formats: ['flac', 'm4a', 'mp3', 'mp4', 'mpeg', 'mpga', "
		    "'oga', 'ogg', 'wav', 'webm']");
	if (bytes == 0)
		return refuse(
		    r, NULL, "file", "Audio file is too short. Minimum audio length is 0.1 seconds.");
	if (bytes <= SIZE_LIMIT)
		return 0;
	refuse(r, NULL, NULL, "413: Maximum content size limit (%d) exceeded (%lld bytes read)", SIZE_LIMIT,
	    (long long)bytes);
	r->status = 413;
	return -1;
}

static int check_form(struct json_object *form, struct refusal *r)
{
	const char *model = json_get_str(form, "model"), *format = json_get_str(form, "response_format");

	if (check_names(form, r) != 0)
		return -1;
	if (!model || model[0] == '\0')
		return refuse(r, "missing_required_parameter", "model", "you must provide a model parameter");
	if (format && strcmp(format, "json") != 0 && strcmp(format, "text") != 0)
		return refuse(r, "invalid_value", "response_format",
		    "the playground gives json and text, not '%.60s'", format);
	return check_file(json_get_object(form, "file"), r);
}

/* Reads the form; NULL with the refusal. The record keeps its fields, and a description of the file. */
static struct json_object *read_form(struct exchange *ex, struct refusal *r)
{
	struct json_object *form = json_object_new_object();
	const char *type = server_header(ex->req, "content-type"), *body;
	struct error err;
	size_t len;

	body = server_body(ex->req, &len);
	if (!type || strncasecmp(type, "multipart/form-data", 19) != 0) {
		refuse(r, NULL, NULL, "We expected a multipart/form-data body.");
	} else if (form_read_multipart(form, type, body, len, &err) != 0) {
		refuse(r, NULL, NULL, "We could not parse the body of your request. (%s)", err.text);
	} else {
		char *text = json_text(form);
		exchange_set_body(ex, text, strlen(text), true);
		free(text);
		return form;
	}
	json_object_put(form);
	return NULL;
}

static void write_words(struct exchange *ex, struct json_object *file, struct buf *words)
{
	size_t at = (size_t)json_get_int(file, "at", 0), bytes = (size_t)json_get_int(file, "bytes", 0), len;
	const char *data = server_body(ex->req, &len) + at;

	if (bytes > 4 && memcmp(data, "OggS", 4) == 0) {
		data += 4;
		bytes -= 4;
	}
	if (utf8_valid(data, bytes) && !memchr(data, '\0', bytes))
		buf_add(words, data, bytes);
	else
		buf_addf(words, "(sound of %zu bytes)", bytes);
}

/* Adds the usage: models of the GPT family count tokens, Whisper counts time. */
static void add_usage(struct buf *out, const char *model, int64_t bytes, size_t written)
{
	long long seconds = (bytes + SECOND_BYTES - 1) / SECOND_BYTES, input = seconds * SECOND_TOKENS;
	long long output = (long long)(written + TOKEN_BYTES - 1) / TOKEN_BYTES;

	if (strncmp(model, "gpt-", 4) == 0)
		buf_addf(out,
		    ",\"usage\":{\"type\":\"tokens\",\"total_tokens\":%lld,\"input_tokens\":%lld,\"input_"
		    "token_details\":{\"text_tokens\":0,\"audio_tokens\":%lld},\"output_tokens\":%lld}",
		    input + output, input, input, output);
	else
		buf_addf(out, ",\"usage\":{\"type\":\"duration\",\"seconds\":%lld}", seconds);
}

void transcribe_serve(struct task *t, struct model *m, struct exchange *ex)
{
	struct buf words = BUF_INIT, out = BUF_INIT;
	struct json_object *form;
	struct refusal r;

	(void)t;
	(void)m;
	form = read_form(ex, &r);
	if (!form || check_form(form, &r) != 0) {
		exchange_problem(ex, "%s", r.message);
		refusal_answer(ex, &r);
	} else {
		const char *format = json_get_str(form, "response_format");
		bool plain = format && strcmp(format, "text") == 0;

		write_words(ex, json_get_object(form, "file"), &words);
		buf_addstr(&out, plain ? "" : "{\"text\":");
		if (plain)
			buf_add(&out, words.data, words.len);
		else
			json_quote(&out, words.data, words.len);
		if (!plain)
			add_usage(&out, json_get_str(form, "model"),
			    json_get_int(json_get_object(form, "file"), "bytes", 0), words.len);
		buf_addstr(&out, plain ? "\n" : "}");
		exchange_answer(ex, 200, plain ? "text/plain" : "application/json", NULL, &out);
	}
	json_object_put(form);
	buf_clear(&words);
	buf_clear(&out);
}
