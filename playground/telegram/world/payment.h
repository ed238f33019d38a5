#ifndef PLAYGROUND_TELEGRAM_WORLD_PAYMENT_H
#define PLAYGROUND_TELEGRAM_WORLD_PAYMENT_H
/* Invoices, and the people who pay them. No money moves. An invoice is JSON: title, description, payload,
 * currency, total_amount, is_flexible. */
#include <stdint.h>

struct bot;
struct chat;
struct error;
struct json_object;
struct user;

/* A person begins to pay; returns the checkout, whose "id" is the bot's query: {"id","state","user",
 * "invoice","error"}. state: shipping, checkout, paid, refused. */
struct json_object *payment_begin(
    struct bot *b, struct chat *c, const struct user *u, struct json_object *invoice);
/* NULL: there is none in that state. */
struct json_object *payment_find(const struct bot *b, const char *id, const char *state);
/* The bot accepts (error NULL) or declines; option: of the shipping that it offers, NULL: none. */
void payment_answer(
    struct bot *b, struct json_object *checkout, const char *error, struct json_object *option);
/* The Star transactions, oldest first: an array in the profile. */
struct json_object *payment_transactions(struct bot *b);
int64_t payment_balance(struct bot *b);
/* Gives Stars back. Returns NULL, or the platform's error. */
const char *payment_refund(struct bot *b, int64_t user_id, const char *charge);

#endif
