#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/json/json.h"
#include "base/mem.h"
#include "playground/fixture.h"

#define STARS                                    \
	"\"title\":\"Tea\",\"description\":\"a " \
	"cup\",\"payload\":\"t1\",\"currency\":\"XTR\",\"prices\":[{\"label\":\"cup\",\"amount\":5}]"
#define EUROS                                                                                    \
	"\"title\":\"Pot\",\"description\":\"to keep\",\"payload\":\"p1\",\"currency\":\"EUR\"," \
	"\"provider_token\":\"x\",\"is_flexible\":true,\"prices\":[{\"label\":\"pot\",\"amount\":1500}]"

static struct json_object *last_update(void)
{
	return bot("getUpdates", 200, "{\"offset\":-1}");
}

/* Sends as the bot to person 77; returns the message id. */
static char *sent(const char *method, const char *members)
{
	struct json_object *o = bot(method, 200, "{\"chat_id\":77,%s}", members);
	char *id = xstrdup(client_at(o, "result.message_id"));

	json_object_put(o);
	return id;
}

/* Person 77 begins to pay; returns the query's id. */
static char *pay(const char *key, const char *value)
{
	struct json_object *o =
	    control("pay", "{\"platform\":\"telegram\",\"user\":\"77\",\"%s\":\"%s\"}", key, value);
	char *id = xstrdup(client_at(o, "query_id"));

	json_object_put(o);
	return id;
}

static void stars_are_paid_and_given_back(void **state)
{
	char *message, *query, *charge;
	struct json_object *o;

	(void)state;
	say("hi");
	message = sent("sendInvoice", STARS);
	expect_once(client_get(at("/control/transcript?platform=telegram&chat=77"), 200),
	    "messages.1.buttons.0.label", "Pay ⭐️5");
	query = pay("message_id", message);
	o = last_update();
	expect_at(o, "result.0.pre_checkout_query.id", query);
	expect_at(o, "result.0.pre_checkout_query.total_amount", "5");
	expect_at(o, "result.0.pre_checkout_query.invoice_payload", "t1");
	json_object_put(o);
	json_object_put(
	    bot("answerPreCheckoutQuery", 200, "{\"pre_checkout_query_id\":\"%s\",\"ok\":true}", query));
	expect_once(
	    bot("answerPreCheckoutQuery", 400, "{\"pre_checkout_query_id\":\"%s\",\"ok\":true}", query),
	    "description",
	    "Bad Request: query is too old and response timeout expired or query ID is invalid");
	o = last_update();
	expect_at(o, "result.0.message.successful_payment.currency", "XTR");
	charge = xstrdup(client_at(o, "result.0.message.successful_payment.telegram_payment_charge_id"));
	json_object_put(o);
	expect_once(bot("getMyStarBalance", 200, "{}"), "result.amount", "5");
	expect_once(bot("refundStarPayment", 400, "{\"user_id\":77,\"telegram_payment_charge_id\":\"x\"}"),
	    "description", "Bad Request: CHARGE_NOT_FOUND");
	json_object_put(
	    bot("refundStarPayment", 200, "{\"user_id\":77,\"telegram_payment_charge_id\":\"%s\"}", charge));
	expect_once(last_update(), "result.0.message.refunded_payment.total_amount", "5");
	expect_once(
	    bot("refundStarPayment", 400, "{\"user_id\":77,\"telegram_payment_charge_id\":\"%s\"}", charge),
	    "description", "Bad Request: CHARGE_ALREADY_REFUNDED");
	o = bot("getStarTransactions", 200, "{}");
	expect_at(o, "result.transactions.0.source.invoice_payload", "t1");
	expect_at(o, "result.transactions.1.receiver.user.id", "77");
	json_object_put(o);
	o = bot("getStarTransactions", 200, "{\"offset\":-1,\"limit\":0}");
	expect_at(o, "result.transactions.0.source.invoice_payload", "t1");
	expect_at(o, "result.transactions.1", "");
	json_object_put(o);
	expect_once(bot("getStarTransactions", 200, "{\"offset\":1,\"limit\":9223372036854775807}"),
	    "result.transactions.0.receiver.user.id", "77");
	expect_once(bot("getMyStarBalance", 200, "{}"), "result.amount", "0");
	free(charge);
	free(query);
	free(message);
}

static void a_link_asks_for_shipping_first(void **state)
{
	struct json_object *o = bot("createInvoiceLink", 200, "{" EUROS "}");
	char *first, *second;

	(void)state;
	say("hi");
	first = pay("invoice_link", client_at(o, "result"));
	json_object_put(o);
	expect_once(last_update(), "result.0.shipping_query.shipping_address.country_code", "DE");
	expect_once(bot("answerShippingQuery", 400, "{\"shipping_query_id\":\"%s\",\"ok\":true}", first),
	    "description", "Bad Request: there must be at least one shipping option");
	json_object_put(bot("answerShippingQuery", 200,
	    "{\"shipping_query_id\":\"%s\",\"ok\":true,\"shipping_options\":[{\"id\":\"fast\",\"title\":"
	    "\"Fast\","
	    "\"prices\":[{\"label\":\"post\",\"amount\":500}]}]}",
	    first));
	o = last_update();
	expect_at(o, "result.0.pre_checkout_query.total_amount", "2000");
	expect_at(o, "result.0.pre_checkout_query.shipping_option_id", "fast");
	second = xstrdup(client_at(o, "result.0.pre_checkout_query.id"));
	json_object_put(o);
	expect_once(
	    bot("answerPreCheckoutQuery", 400, "{\"pre_checkout_query_id\":\"%s\",\"ok\":false}", second),
	    "description", "Bad Request: parameter \"error_message\" is required");
	json_object_put(bot("answerPreCheckoutQuery", 200,
	    "{\"pre_checkout_query_id\":\"%s\",\"ok\":false,\"error_message\":\"sold out\"}", second));
	o = control("pay", "{\"platform\":\"telegram\",\"user\":\"77\",\"query_id\":\"%s\"}", second);
	expect_at(o, "state", "refused");
	expect_at(o, "error", "sold out");
	json_object_put(o);
	free(first);
	free(second);
}

/* Bot API, forwardMessage and copyMessage. */
static void an_invoice_is_forwarded_and_not_copied(void **state)
{
	char *id;

	(void)state;
	say("hi");
	id = sent("sendInvoice", STARS);
	expect_once(bot("forwardMessage", 200, "{\"chat_id\":77,\"from_chat_id\":77,\"message_id\":%s}", id),
	    "result.invoice.title", "Tea");
	expect_once(
	    bot("forwardMessages", 200, "{\"chat_id\":77,\"from_chat_id\":77,\"message_ids\":[%s]}", id),
	    "ok", "true");
	expect_once(bot("copyMessage", 400, "{\"chat_id\":77,\"from_chat_id\":77,\"message_id\":%s}", id),
	    "description", "Bad Request: the message can't be copied");
	expect_once(bot("copyMessages", 400, "{\"chat_id\":77,\"from_chat_id\":77,\"message_ids\":[%s]}", id),
	    "description", "Bad Request: there are no messages to forward");
	free(id);
}

static void wrong_invoices_are_refused(void **state)
{
	static const struct {
		const char *members, *says;
	} wrong[] = {
	    {"\"title\":\"a\",\"description\":\"b\",\"payload\":\"c\",\"currency\":\"EUR\",\"prices\":[{"
	     "\"label\":\"d\","
	     "\"amount\":5}]",
		"PAYMENT_PROVIDER_INVALID"},
	    {"\"title\":\"a\",\"description\":\"b\",\"payload\":\"c\",\"currency\":\"euro\",\"prices\":[{"
	     "\"label\":\"d\","
	     "\"amount\":5}]",
		"CURRENCY_INVALID"},
	    {"\"title\":\"a\",\"description\":\"b\",\"payload\":\"c\",\"currency\":\"XTR\",\"prices\":[{"
	     "\"label\":\"d\","
	     "\"amount\":5},{\"label\":\"e\",\"amount\":5}]",
		"STARS_INVOICE_INVALID"},
	    {"\"title\":\"a\",\"description\":\"b\",\"payload\":\"c\",\"currency\":\"XTR\",\"prices\":[]",
		"there must be at least one price"},
	    {"\"title\":\"a\",\"description\":\"b\",\"payload\":\"c\",\"currency\":\"XTR\",\"prices\":[{"
	     "\"label\":\"d\"}]",
		"can't parse labeled price: Can't find field \"amount\""},
	    {STARS ",\"reply_markup\":{\"inline_keyboard\":[[{\"text\":\"a\",\"callback_data\":\"b\"}]]}",
		"REPLY_MARKUP_BUY_EMPTY"},
	};

	(void)state;
	say("hi");
	for (size_t i = 0; i < ARRAY_LEN(wrong); i++) {
		char *says = xasprintf("Bad Request: %s", wrong[i].says);

		expect_once(
		    bot("sendInvoice", 400, "{\"chat_id\":77,%s}", wrong[i].members), "description", says);
		free(says);
	}
}

static void a_game_keeps_the_highest_scores(void **state)
{
	char *id;
	struct json_object *o;

	(void)state;
	say("hi");
	json_object_put(control("say", "{\"platform\":\"telegram\",\"user\":\"78\",\"text\":\"hi\"}"));
	id = sent("sendGame", "\"game_short_name\":\"chess\"");
	json_object_put(control("press",
	    "{\"platform\":\"telegram\",\"user\":\"77\",\"message_id\":\"%s\",\"button\":\"Play chess\"}",
	    id));
	expect_once(last_update(), "result.0.callback_query.game_short_name", "chess");
	json_object_put(
	    bot("setGameScore", 200, "{\"chat_id\":77,\"message_id\":%s,\"user_id\":77,\"score\":5}", id));
	json_object_put(
	    bot("setGameScore", 200, "{\"chat_id\":77,\"message_id\":%s,\"user_id\":78,\"score\":9}", id));
	expect_once(
	    bot("setGameScore", 400, "{\"chat_id\":77,\"message_id\":%s,\"user_id\":78,\"score\":7}", id),
	    "description", "Bad Request: BOT_SCORE_NOT_MODIFIED");
	json_object_put(bot("setGameScore", 200,
	    "{\"chat_id\":77,\"message_id\":%s,\"user_id\":78,\"score\":7,\"force\":true}", id));
	o = bot("getGameHighScores", 200, "{\"chat_id\":77,\"message_id\":%s,\"user_id\":77}", id);
	expect_at(o, "result.0.position", "1");
	expect_at(o, "result.0.user.id", "78");
	expect_at(o, "result.0.score", "7");
	expect_at(o, "result.1.score", "5");
	json_object_put(o);
	free(id);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup(stars_are_paid_and_given_back, fixture_reset),
	    cmocka_unit_test_setup(a_link_asks_for_shipping_first, fixture_reset),
	    cmocka_unit_test_setup(an_invoice_is_forwarded_and_not_copied, fixture_reset),
	    cmocka_unit_test_setup(wrong_invoices_are_refused, fixture_reset),
	    cmocka_unit_test_setup(a_game_keeps_the_highest_scores, fixture_reset),
	};

	return cmocka_run_group_tests(tests, fixture_setup, fixture_teardown);
}
