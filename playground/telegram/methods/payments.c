#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/text/utf8.h"
#include "base/time/clock.h"
#include "playground/telegram/methods/compose.h"

#define TITLE_MAX       32
#define DESCRIPTION_MAX 255
#define PAYLOAD_MAX     128 /* bytes */
#define LIST_MAX        100

static const char too_old[] = "query is too old and response timeout expired or query ID is invalid";

/* Returns the sum of the prices; -1 after call_refuse. */
static int64_t read_prices(struct call *call, struct json_object *prices)
{
	int64_t total = 0;

	json_each(prices, o) {
		const char *label = json_get_str(o, "label");

		if (!label || !json_get(o, "amount"))
			return call_refuse(call, "can't parse labeled price: %s%s%s",
			    json_object_is_type(o, json_type_object) ? "Can't find field \"" :
								       "LabeledPrice must be an Object",
			    !json_object_is_type(o, json_type_object) ? "" :
				label                                 ? "amount" :
									"label",
			    json_object_is_type(o, json_type_object) ? "\"" : "");
		if (label[0] == '\0')
			return call_refuse(
			    call, "can't parse labeled price: LabeledPrice label must be non-empty");
		total += json_get_int(o, "amount", 0);
	}
	if (json_count(prices) == 0)
		return call_refuse(call, "there must be at least one price");
	return total > 0 ? total : call_refuse(call, "CURRENCY_TOTAL_AMOUNT_INVALID");
}

static size_t length(const char *s)
{
	return utf8_count(s, strlen(s), UTF8_CHARS);
}

/* Returns the invoice, new; NULL after call_refuse. */
static struct json_object *read_invoice(struct call *call)
{
	static const char *const texts[] = {"title", "description", "payload", "currency"};
	struct json_object *prices = json_get_array(call->params, "prices"), *o;
	const char *currency = json_get_str(call->params, "currency"),
		   *provider = json_get_str(call->params, "provider_token");
	bool stars = strcmp(currency, "XTR") == 0;
	int64_t total = read_prices(call, prices);

	if (total < 0)
		return NULL;
	if (length(json_get_str(call->params, "title")) > TITLE_MAX)
		call_refuse(call, "INVOICE_TITLE_INVALID");
	else if (length(json_get_str(call->params, "description")) > DESCRIPTION_MAX)
		call_refuse(call, "INVOICE_DESCRIPTION_INVALID");
	else if (strlen(json_get_str(call->params, "payload")) > PAYLOAD_MAX)
		call_refuse(call, "INVOICE_PAYLOAD_INVALID");
	else if (strlen(currency) != 3 || strspn(currency, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") != 3)
		call_refuse(call, "CURRENCY_INVALID");
	else if (stars && json_count(prices) != 1)
		call_refuse(call, "STARS_INVOICE_INVALID");
	else if (!stars && (!provider || provider[0] == '\0'))
		call_refuse(call, "PAYMENT_PROVIDER_INVALID");
	if (call->error_code != 0)
		return NULL;
	o = json_object_new_object();
	for (size_t i = 0; i < ARRAY_LEN(texts); i++)
		json_set_str(o, texts[i], json_get_str(call->params, texts[i]));
	json_set_int(o, "total_amount", total);
	json_set_bool(o, "is_flexible", !stars && json_get_bool(call->params, "is_flexible", false));
	return o;
}

/* Without a keyboard there is a button to pay; else the first one must be it. */
static int set_button(struct call *call, struct post *p, struct json_object *invoice)
{
	struct json_object *o = p->markup ? json_parse_object(p->markup, strlen(p->markup), NULL) : NULL,
			   *first;
	int64_t total = json_get_int(invoice, "total_amount", 0);
	const char *currency = json_get_str(invoice, "currency");
	bool pays;

	if (!o) {
		p->markup = strcmp(currency, "XTR") == 0 ?
		    xasprintf("{\"inline_keyboard\":[[{\"text\":\"Pay ⭐️%" PRId64 "\",\"pay\":true}]]}",
			total) :
		    xasprintf("{\"inline_keyboard\":[[{\"text\":\"Pay %s %" PRId64 ".%02" PRId64
			      "\",\"pay\":true}]]}",
			currency, total / 100, total % 100);
		return 0;
	}
	first = json_at(json_get_array(o, "inline_keyboard"), 0);
	pays = json_get_bool(json_at(first, 0), "pay", false);
	json_object_put(o);
	return pays ? 0 : call_refuse(call, "REPLY_MARKUP_BUY_EMPTY");
}

int method_send_invoice(struct call *call)
{
	static const char *const shown[] = {"title", "description", "currency", "total_amount"};
	struct json_object *invoice = read_invoice(call), *o;
	const char *start = json_get_str(call->params, "start_parameter");
	struct message *m;
	struct post post;

	if (!invoice)
		return -1;
	if (post_open(call, &post, 1, "invoice messages") != 0) {
		json_object_put(invoice);
		return -1;
	}
	m = telegram_message_new();
	o = json_object_new_object();
	for (size_t i = 0; i < ARRAY_LEN(shown); i++)
		json_set(o, shown[i], json_object_get(json_get(invoice, shown[i])));
	json_set_str(o, "start_parameter", start ? start : "");
	message_set_extra(m, "invoice", o);
	message_set_extra(m, ".invoice", invoice);
	if (set_button(call, &post, invoice) != 0) {
		telegram_message_free(m);
		post_close(&post);
		return -1;
	}
	posting_add(call, &post, m);
	message_write(m, post.chat, &call->result);
	post_close(&post);
	return 0;
}

int method_create_invoice_link(struct call *call)
{
	struct json_object *invoice = read_invoice(call),
			   *links = json_get_object(call->bot->profile, "invoices");
	char name[17], *link;

	if (!invoice)
		return -1;
	clock_random_hex(name, 8);
	link = xasprintf("https://t.me/$%s", name);
	if (!links) {
		links = json_object_new_object();
		json_set(call->bot->profile, "invoices", links);
	}
	json_set(links, link, invoice);
	json_quote(&call->result, link, strlen(link));
	free(link);
	return 0;
}

/* Answers the query of that parameter, in that state. */
static int answer(struct call *call, const char *param, const char *state, struct json_object *option)
{
	bool ok = json_get_bool(call->params, "ok", false);
	const char *error = json_get_str(call->params, "error_message");
	struct json_object *checkout = payment_find(call->bot, json_get_str(call->params, param), state);

	if (!ok && (!error || error[0] == '\0'))
		return call_refuse(call, "parameter \"error_message\" is required");
	if (!checkout)
		return call_fail(call, 400, "Bad Request: %s", too_old);
	payment_answer(call->bot, checkout, ok ? NULL : error, option);
	return call_true(call);
}

int method_answer_pre_checkout_query(struct call *call)
{
	return answer(call, "pre_checkout_query_id", "checkout", NULL);
}

/* The person takes the first option. */
int method_answer_shipping_query(struct call *call)
{
	struct json_object *options = json_get_array(call->params, "shipping_options"), *first = NULL;

	if (json_get_bool(call->params, "ok", false)) {
		if (json_count(options) == 0)
			return call_refuse(call, "there must be at least one shipping option");
		first = json_at(options, 0);
		if (!json_get_str(first, "id") || !json_get_str(first, "title"))
			return call_refuse(call, "can't parse shipping option: Can't find field \"%s\"",
			    json_get_str(first, "id") ? "title" : "id");
		if (read_prices(call, json_get_array(first, "prices")) < 0)
			return -1;
	}
	return answer(call, "shipping_query_id", "shipping", first);
}

int method_refund_star_payment(struct call *call)
{
	const char *says = payment_refund(call->bot, json_get_int(call->params, "user_id", 0),
	    json_get_str(call->params, "telegram_payment_charge_id"));

	if (says)
		return call_fail(call, 400, "Bad Request: %s", says);
	return call_true(call);
}

int method_get_star_transactions(struct call *call)
{
	struct json_object *array = payment_transactions(call->bot);
	int64_t offset = call_within(call, "offset", 0, 0, INT32_MAX),
		limit = call_within(call, "limit", LIST_MAX, 1, LIST_MAX);

	buf_addstr(&call->result, "{\"transactions\":[");
	for (int64_t i = offset; i < (int64_t)json_count(array) && i < offset + limit; i++) {
		buf_addstr(&call->result, i > offset ? "," : "");
		json_write(&call->result, json_at(array, (size_t)i));
	}
	buf_addstr(&call->result, "]}");
	return 0;
}

int method_get_my_star_balance(struct call *call)
{
	buf_addf(&call->result, "{\"amount\":%" PRId64 "}", payment_balance(call->bot));
	return 0;
}
