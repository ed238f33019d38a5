#include <string.h>

#include "playground/telegram/control/control.h"

static struct json_object *find_invoice(const struct actor *s, struct json_object *in, struct error *err)
{
	const char *link = json_get_str(in, "invoice_link");
	struct json_object *o;
	struct message *m;

	if (link) {
		o = json_get_object(json_get_object(s->bot->profile, "invoices"), link);
	} else {
		m = actor_message(s, in, "message_id", err);
		if (!m)
			return NULL;
		o = json_get_object(m->extra, ".invoice");
	}
	if (!o)
		error_set(err, ERROR_OURS, "there is no invoice");
	return o;
}

/* {"message_id" or "invoice_link"}: a person begins to pay; answers with "query_id", which changes with the
 * query after the one for shipping. {"query_id"}: what has become of it. */
int telegram_control_pay(void *self, struct json_object *in, struct json_object *out, struct error *err)
{
	static const char *const shown[] = {"state", "error", "charge"};
	const char *query = members_string(in, "query_id");
	struct json_object *checkout, *invoice;
	struct actor s;

	if (actor_read(self, in, false, &s, err) != 0)
		return -1;
	if (!s.user)
		return error_set(err, ERROR_OURS, "say which \"user\" pays");
	if (query) {
		checkout = payment_find(s.bot, query, NULL);
		if (!checkout)
			return error_set(err, ERROR_OURS, "there is no such payment");
	} else {
		invoice = find_invoice(&s, in, err);
		if (!invoice)
			return -1;
		checkout = payment_begin(s.bot, s.chat, s.user, invoice);
	}
	json_set_str(out, "query_id", json_get_str(checkout, "id"));
	for (size_t i = 0; i < sizeof(shown) / sizeof(shown[0]); i++)
		json_set_str(out, shown[i], json_get_str(checkout, shown[i]));
	return 0;
}
