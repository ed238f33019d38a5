#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "playground/telegram/world/world_internal.h"

#define CHECKOUT_BASE 7000000000000000 /* as for callbacks */
#define CHECKOUT_MS   10000            /* Bot API: an answer must come within 10 seconds */

static bool is_stars(struct json_object *invoice)
{
	return strcmp(json_get_str(invoice, "currency"), "XTR") == 0;
}

/* Asks the bot, by an update with the members that every query of a payment has. */
static void ask(struct bot *b, struct json_object *checkout, enum update_kind kind)
{
	struct json_object *invoice = json_get(checkout, "invoice");
	const char *payload = json_get_str(invoice, "payload");
	struct buf out = BUF_INIT;
	char id[24];

	snprintf(id, sizeof(id), "%" PRId64, CHECKOUT_BASE + ++b->world->last_callback);
	json_setf(checkout, "id: %s, asked_ms: %jd", id, (int64_t)clock_now());
	buf_addf(&out, "{\"id\":\"%s\",\"from\":", id);
	world_write_user(&out, json_get_int(checkout, "user", 0), b->world);
	buf_addstr(&out, ",\"invoice_payload\":");
	json_quote(&out, payload, strlen(payload));
	if (kind == UPDATE_SHIPPING_QUERY) {
		buf_addstr(&out,
		    ",\"shipping_address\":{\"country_code\":\"DE\",\"state\":\"\",\"city\":\"Berlin\","
		    "\"street_line1\":\"Street 1\",\"street_line2\":\"\",\"post_code\":\"10115\"}}");
	} else {
		buf_addf(&out, ",\"currency\":\"%s\",\"total_amount\":%" PRId64,
		    json_get_str(invoice, "currency"), json_get_int(checkout, "total", 0));
		if (json_get_str(checkout, "option")) {
			buf_addstr(&out, ",\"shipping_option_id\":");
			json_quote(
			    &out, json_get_str(checkout, "option"), strlen(json_get_str(checkout, "option")));
		}
		buf_addch(&out, '}');
	}
	bot_update(b, kind, &out);
	buf_clear(&out);
}

struct json_object *payment_begin(
    struct bot *b, struct chat *c, const struct user *u, struct json_object *invoice)
{
	struct json_object *o = json_object_new_object();
	bool flexible = json_get_bool(invoice, "is_flexible", false);

	json_setf(o, "invoice: %p, user: %jd, chat: %jd, total: %jd, state: %s", json_object_get(invoice),
	    u->id, c->id, json_get_int(invoice, "total_amount", 0), flexible ? "shipping" : "checkout");
	if (!b->checkouts)
		b->checkouts = json_object_new_array();
	json_object_array_add(b->checkouts, o);
	ask(b, o, flexible ? UPDATE_SHIPPING_QUERY : UPDATE_PRE_CHECKOUT_QUERY);
	return o;
}

struct json_object *payment_find(const struct bot *b, const char *id, const char *state)
{
	size_t count = json_count(b->checkouts);

	for (size_t i = 0; id && i < count; i++) {
		struct json_object *o = json_at(b->checkouts, i);

		if (strcmp(json_get_str(o, "id"), id) != 0)
			continue;
		if (!state)
			return o;
		return strcmp(json_get_str(o, "state"), state) == 0 &&
			clock_now() < (uint64_t)json_get_int(o, "asked_ms", 0) + CHECKOUT_MS ?
		    o :
		    NULL;
	}
	return NULL;
}

struct json_object *payment_transactions(struct bot *b)
{
	struct json_object *array = json_get_array(b->profile, "transactions");

	if (!array) {
		array = json_object_new_array();
		json_set(b->profile, "transactions", array);
	}
	return array;
}

int64_t payment_balance(struct bot *b)
{
	struct json_object *array = payment_transactions(b);
	int64_t balance = 0;

	json_each(array, o)
		balance += json_get_int(o, "amount", 0) * (json_get(o, "source") ? 1 : -1);
	return balance;
}

/* Bot API, StarTransaction: role is source or receiver. */
static void add_transaction(
    struct bot *b, const char *id, int64_t amount, int64_t user, const char *payload, const char *role)
{
	struct json_object *o = json_object_new_object(), *partner = json_object_new_object();
	struct buf who = BUF_INIT;

	world_write_user(&who, user, b->world);
	json_setf(partner, "type: 'user', transaction_type: 'invoice_payment', user: %p, invoice_payload: %s",
	    json_parse(who.data, who.len, NULL), payload);
	json_setf(o, "id: %s, amount: %jd, date: %jd", id, amount, clock_wall() / 1000);
	json_set(o, role, partner);
	json_object_array_add(payment_transactions(b), o);
	buf_clear(&who);
}

/* The service message, which comes from the person. */
static void tell(struct bot *b, struct chat *c, int64_t user, const char *name, const char *currency,
    int64_t total, const char *payload, const char *charge, const char *option)
{
	struct buf out = BUF_INIT;

	buf_addf(&out, "\"%s\":{\"currency\":\"%s\",\"total_amount\":%" PRId64 ",\"invoice_payload\":", name,
	    currency, total);
	json_quote(&out, payload, strlen(payload));
	if (option) {
		buf_addstr(&out, ",\"shipping_option_id\":");
		json_quote(&out, option, strlen(option));
	}
	buf_addf(&out,
	    ",\"telegram_payment_charge_id\":\"%s\",\"provider_payment_charge_id\":\"%s_provider\"}", charge,
	    charge);
	service_add(c, (struct author){.user = world_find_user(b->world, user)}, NULL, buf_take(&out));
}

static void pay(struct bot *b, struct json_object *checkout)
{
	struct json_object *invoice = json_get(checkout, "invoice");
	int64_t user = json_get_int(checkout, "user", 0), total = json_get_int(checkout, "total", 0);
	const char *payload = json_get_str(invoice, "payload");
	struct chat *c = chat_of_bot(b, json_get_int(checkout, "chat", 0));
	char charge[40];

	snprintf(charge, sizeof(charge), "stx%s", json_get_str(checkout, "id"));
	json_set_str(checkout, "charge", charge);
	if (is_stars(invoice))
		add_transaction(b, charge, total, user, payload, "source");
	if (c)
		tell(b, c, user, "successful_payment", json_get_str(invoice, "currency"), total, payload,
		    charge, json_get_str(checkout, "option"));
}

void payment_answer(
    struct bot *b, struct json_object *checkout, const char *error, struct json_object *option)
{
	struct json_object *prices = json_get_array(option, "prices");
	int64_t total = json_get_int(checkout, "total", 0);

	json_set_str(checkout, "error", error);
	if (error) {
		json_set_str(checkout, "state", "refused");
	} else if (option) {
		json_each(prices, item)
			total += json_get_int(item, "amount", 0);
		json_setf(checkout, "total: %jd, option: %s", total, json_get_str(option, "id"));
		json_set_str(checkout, "state", "checkout");
		ask(b, checkout, UPDATE_PRE_CHECKOUT_QUERY);
	} else {
		json_set_str(checkout, "state", "paid");
		pay(b, checkout);
	}
}

const char *payment_refund(struct bot *b, int64_t user_id, const char *charge)
{
	struct json_object *array = payment_transactions(b), *paid = NULL, *source = NULL;
	struct chat *c = chat_of_bot(b, user_id);
	int64_t amount;

	json_each(array, o) {
		if (strcmp(json_get_str(o, "id"), charge) != 0)
			continue;
		if (json_get(o, "receiver"))
			return "CHARGE_ALREADY_REFUNDED";
		paid = o;
		source = json_get(o, "source");
	}
	if (!paid || json_get_int(json_get(source, "user"), "id", 0) != user_id)
		return "CHARGE_NOT_FOUND";
	amount = json_get_int(paid, "amount", 0);
	add_transaction(b, charge, amount, user_id, json_get_str(source, "invoice_payload"), "receiver");
	if (c)
		tell(b, c, user_id, "refunded_payment", "XTR", amount,
		    json_get_str(source, "invoice_payload"), charge, NULL);
	return NULL;
}
