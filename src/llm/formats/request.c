#include "llm/formats/request.h"

#include <string.h>

#include "base/buf.h"
#include "base/json/json.h"
#include "base/json/flat.h"
#include "base/mem.h"

void request_add_text(struct buf *out, const char *text)
{
	json_quote(out, text, strlen(text));
}

/* For a shorter text, escaping it again is cheaper than caching it. */
#define KEEP_MIN 64
/* Bytes around a message, and the room that escaping needs after its end. */
#define FRAME_USUAL 128
#define BEHIND_LAST 8192

void request_add_message_text(struct buf *out, struct llm_message *m)
{
	size_t begin = out->len;

	if (m->quoted) {
		buf_add(out, m->quoted, m->quoted_len);
		return;
	}
	request_add_text(out, m->text);
	if (m->written && out->len - begin >= KEEP_MIN) {
		m->quoted_len = out->len - begin;
		m->quoted = xmemdup(out->data + begin, m->quoted_len);
	}
	m->written = true;
}

static size_t usual_size(const struct llm_message *m)
{
	size_t text;

	if (m->raw && m->raw_fits)
		return FRAME_USUAL + m->raw_count.len;
	if (m->quoted)
		return FRAME_USUAL + m->quoted_len;
	text = strlen(m->text);
	/* Room for some line ends and quotation marks, which take two bytes. */
	return FRAME_USUAL + text + text / 16;
}

void request_reserve(struct buf *out, const struct llm_request *req)
{
	size_t size = BEHIND_LAST + (req->system ? strlen(req->system) : 0);

	for (size_t i = 0; i < req->history->count; i++)
		size += usual_size(req->history->messages[i]);
	for (size_t i = 0; i < req->tool_count; i++)
		size += FRAME_USUAL +
		    (req->tools[i].id ? req->tools[i].bytes :
					strlen(req->tools[i].schema) + strlen(req->tools[i].summary));
	buf_reserve(out, size);
}

bool request_is_own(const struct llm_provider *p, const struct llm_message *m)
{
	return m->raw && m->provider && m->model && strcmp(m->provider, p->name) == 0 &&
	    strcmp(m->model, p->settings.model) == 0;
}

bool request_raw_fits(struct llm_message *m, enum request_raw what,
    bool (*fits)(const struct llm_message *m, const struct json_flat *raw))
{
	unsigned char bit = (unsigned char)(1 << what);

	if (!(m->raw_checked & bit)) {
		struct json_flat raw = {0};
		m->raw_checked |= bit;
		if (json_flat_read(&raw, m->raw, llm_message_raw_count(m)->len) && fits(m, &raw))
			m->raw_fits |= bit;
		json_flat_clear(&raw);
	}
	return m->raw_fits & bit;
}
