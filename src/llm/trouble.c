#include "llm/trouble.h"

#include "base/buf.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/mem.h"

#define DAY_MS (24 * 3600 * 1000)

_Static_assert(ARRAY_LEN(((struct llm_learned *)0)->trouble_told) == LLM_TROUBLES, "one day for each");

static llm_trouble_fn *listener;
static void *listener_arg;

void llm_trouble_listen(llm_trouble_fn *fn, void *arg)
{
	listener = fn;
	listener_arg = arg;
}

static enum llm_trouble kind_of(enum llm_error_class class, int status)
{
	if (class == LLM_ERROR_BILLING)
		return LLM_TROUBLE_CREDIT;
	if (class == LLM_ERROR_AUTH)
		return status == 403 ? LLM_TROUBLE_ACCESS : LLM_TROUBLE_KEY;
	return class == LLM_ERROR_FATAL && status == 404 ? LLM_TROUBLE_MODEL : LLM_NO_TROUBLE;
}

void llm_trouble_note(const struct llm_provider *p, enum llm_error_class class, const struct error *why)
{
	enum llm_trouble trouble = kind_of(class, why->code);
	struct llm_learned *learned = p->learned;
	/* 0 is no day that was told. */
	int64_t today = clock_wall() / DAY_MS + 1;

	if (!learned || trouble == LLM_NO_TROUBLE)
		return;
	learned->trouble = trouble;
	if (learned->trouble_told[trouble] == today || !listener)
		return;
	learned->trouble_told[trouble] = today;
	listener(listener_arg, p, trouble);
}

void llm_trouble_over(const struct llm_provider *p)
{
	if (p->learned)
		p->learned->trouble = LLM_NO_TROUBLE;
}

enum llm_trouble llm_trouble_of(const struct llm_provider *p)
{
	return p->learned ? (enum llm_trouble)p->learned->trouble : LLM_NO_TROUBLE;
}

/* In texts, 1 is the provider and 2 its model. */
static const struct {
	const char *name, *text;
} troubles[LLM_TROUBLES] = {
    [LLM_NO_TROUBLE] = {"none", ""},
    [LLM_TROUBLE_KEY] = {"key",
	"The model provider %1$s refuses its key (401). Put the right one into llm.providers.%1$s.key, then "
	"reload."},
    [LLM_TROUBLE_ACCESS] = {"access",
	"The model provider %1$s does not let its key use %2$s (403). Allow it there, or name another model "
	"in llm.providers.%1$s.model, then reload."},
    [LLM_TROUBLE_CREDIT] = {"credit",
	"The account at the model provider %1$s has no credit left, or has reached its spend limit. Top it "
	"up, or raise the limit."},
    [LLM_TROUBLE_MODEL] = {"model",
	"The model provider %1$s answers 404: it does not know the model %2$s, or base_url is wrong. Correct "
	"llm.providers.%1$s, then reload."},
};

const char *llm_trouble_name(enum llm_trouble trouble)
{
	return troubles[trouble].name;
}

void llm_trouble_describe(const struct llm_provider *p, enum llm_trouble trouble, struct buf *out)
{
	buf_addf(out, troubles[trouble].text, p->name, p->settings.model ? p->settings.model : "");
}
