#ifndef TESTS_CHANNELS_TELEGRAM_BOT_API_SERVER_H
#define TESTS_CHANNELS_TELEGRAM_BOT_API_SERVER_H
/* A scripted Bot API server on loopback; unscripted calls behave like the real server. It uses its own
 * threads and plain sockets, so it shares no code with the tested client. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct bot_server;

enum bot_how {
	BOT_ANSWER, /* status and body */
	BOT_HANG,   /* reads the request and never answers */
	BOT_CUT,    /* reads the request and closes */
	BOT_HALF    /* closes in the middle of the response */
};

struct bot_answer {
	enum bot_how how;
	int status;
	const char *headers; /* "Name: value\r\n" lines, NULL: none */
	const char *body;    /* copied */
};

struct bot_server *bot_server_new(void);
void bot_server_free(struct bot_server *s);
/* The token's bot is 999, @My_Bot. */
const char *bot_server_base(const struct bot_server *s);

/* Scripts the next responses of a method, in order. After them getMe, deleteWebhook, sendMessage and so on
 * succeed, and getUpdates waits for its timeout and returns nothing. */
void bot_server_script(struct bot_server *s, const char *method, const struct bot_answer *answer);
/* {"ok":true,"result":RESULT} */
void bot_server_result(struct bot_server *s, const char *method, const char *result);
/* {"ok":false,...}; retry_after 0: none */
void bot_server_refuse(
    struct bot_server *s, const char *method, int code, const char *description, int retry_after);
/* A success status with an invalid body. */
void bot_server_garbage(struct bot_server *s, const char *method, int status, const char *body);

/* A download below /file/ counts as method "file". Returns the number of calls so far. */
size_t bot_server_calls(struct bot_server *s, const char *method);
/* Of the nth call, from 0: its body (freed by the caller), its connection number, its time (clock_now()). */
char *bot_server_body(struct bot_server *s, const char *method, size_t n);
unsigned bot_server_connection(struct bot_server *s, const char *method, size_t n);
/* Returns whether a call before it came over the same connection. */
bool bot_server_reused(struct bot_server *s, const char *method, size_t n);
uint64_t bot_server_time(struct bot_server *s, const char *method, size_t n);

#endif
