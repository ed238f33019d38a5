#include "llm/sample.h"

#include <stdlib.h>

#include "base/mem.h"

int sample_set_up(void **state)
{
	struct sample *f = xcalloc(1, sizeof(*f));

	f->provider = (struct llm_provider){
	    .name = xstrdup("main"), .settings = {.base_url = xstrdup(STORY_LOCAL), .model = xstrdup("m-1")}};
	llm_history_init(&f->history);
	f->req = (struct llm_request){.system = "Be \"kind\".", .history = &f->history};
	buf_init(&f->body);
	*state = f;
	return 0;
}

int sample_tear_down(void **state)
{
	struct sample *f = *state;

	llm_history_clear(&f->history);
	buf_clear(&f->body);
	free(f->provider.name);
	free(f->provider.settings.base_url);
	free(f->provider.settings.model);
	free(f);
	return 0;
}

struct llm_message *sample_say(struct sample *f, enum llm_role role, const char *text)
{
	struct llm_message *m = llm_message_new(role, text);

	llm_history_add(&f->history, m);
	return m;
}

struct llm_message *sample_result(struct sample *f, const char *call_id, const char *text)
{
	struct llm_message *m = sample_say(f, LLM_TOOL, text);

	m->call_id = xstrdup(call_id);
	return m;
}

void sample_own(struct llm_message *m, const char *provider, const char *model, const char *raw)
{
	m->provider = xstrdup(provider);
	m->model = xstrdup(model);
	llm_message_set_raw(m, xstrdup(raw));
}

void sample_url(struct sample *f, const char *url)
{
	free(f->provider.settings.base_url);
	f->provider.settings.base_url = xstrdup(url);
}
