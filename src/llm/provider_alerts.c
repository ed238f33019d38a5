#include "llm/provider_alerts.h"

#include "base/buf.h"
#include "base/time/clock.h"
#include "base/error.h"
#include "base/mem.h"

#define DAY_MS (24 * 3600 * 1000)

_Static_assert(ARRAY_LEN(((struct llm_learned *)0)->alert_sent) == LLM_ALERTS, "one day for each");

static llm_alert_fn *listener;
static void *listener_arg;

void llm_alert_listen(llm_alert_fn *fn, void *arg)
{
	listener = fn;
	listener_arg = arg;
}

static enum llm_alert kind_of(enum llm_error_class class, int status)
{
	if (class == LLM_ERROR_BILLING)
		return LLM_ALERT_CREDIT;
	if (class == LLM_ERROR_AUTH)
		return status == 403 ? LLM_ALERT_ACCESS : LLM_ALERT_KEY;
	return class == LLM_ERROR_FATAL && status == 404 ? LLM_ALERT_MODEL : LLM_NO_ALERT;
}

void llm_alert_note(const struct llm_provider *p, enum llm_error_class class, const struct error *why)
{
	enum llm_alert alert = kind_of(class, why->code);
	struct llm_learned *learned = p->learned;
	/* 0 means that no alert was sent yet. */
	int64_t today = clock_wall() / DAY_MS + 1;

	if (!learned || alert == LLM_NO_ALERT)
		return;
	learned->alert = alert;
	learned->answered = false;
	if (learned->alert_sent[alert] == today || !listener)
		return;
	learned->alert_sent[alert] = today;
	listener(listener_arg, p, alert);
}

void llm_alert_clear(const struct llm_provider *p)
{
	if (!p->learned)
		return;
	p->learned->alert = LLM_NO_ALERT;
	p->learned->answered = true;
}

bool llm_alert_answered(const struct llm_provider *p)
{
	return p->learned && p->learned->answered;
}

enum llm_alert llm_alert_of(const struct llm_provider *p)
{
	return p->learned ? (enum llm_alert)p->learned->alert : LLM_NO_ALERT;
}

/* In the texts, %1$s is the provider and %2$s its model. */
static const struct {
	const char *name, *text;
} alert_texts[LLM_ALERTS] = {
    [LLM_NO_ALERT] = {"none", ""},
    [LLM_ALERT_KEY] = {"key",
	"The model provider %1$s refuses its key (401). Put the right one into llm.providers.%1$s.key, then "
	"reload."},
    [LLM_ALERT_ACCESS] = {"access",
	"The model provider %1$s does not let its key use %2$s (403). Allow it there, or name another model "
	"in llm.providers.%1$s.model, then reload."},
    [LLM_ALERT_CREDIT] = {"credit",
	"The account at the model provider %1$s has no credit left, or has reached its spend limit. Top it "
	"up, or raise the limit."},
    [LLM_ALERT_MODEL] = {"model",
	"The model provider %1$s answers 404: it does not know the model %2$s, or base_url is wrong. Correct "
	"llm.providers.%1$s, then reload."},
};

const char *llm_alert_name(enum llm_alert alert)
{
	return alert_texts[alert].name;
}

void llm_alert_describe(const struct llm_provider *p, enum llm_alert alert, struct buf *out)
{
	buf_addf(out, alert_texts[alert].text, p->name, p->settings.model ? p->settings.model : "");
}
