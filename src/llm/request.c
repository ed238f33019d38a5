#include "llm/request.h"

#include <string.h>

#include "base/json.h"

void request_add_text(struct buf *out, const char *text)
{
	json_quote(out, text, strlen(text));
}

bool request_is_own(const struct llm_provider *p, const struct llm_message *m)
{
	return m->raw && m->provider && m->model && strcmp(m->provider, p->name) == 0 &&
	    strcmp(m->model, p->settings.model) == 0;
}

bool request_raw_fits(struct llm_message *m, enum request_raw what, bool (*fits)(const struct llm_message *m))
{
	unsigned char bit = (unsigned char)(1 << what);

	if (!(m->raw_seen & bit)) {
		m->raw_seen |= bit;
		if (fits(m))
			m->raw_fits |= bit;
	}
	return m->raw_fits & bit;
}
