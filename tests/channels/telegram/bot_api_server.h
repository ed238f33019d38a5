#ifndef TESTS_CHANNELS_TELEGRAM_BOT_API_SERVER_H
#define TESTS_CHANNELS_TELEGRAM_BOT_API_SERVER_H
/*
 * A Bot API server on loopback that answers by script, else as the real one would: on threads of its own,
 * with plain sockets, so that it shares nothing with what is tested.
 */
#include <stddef.h>
#include <stdint.h>

struct bot_server;

enum bot_how {
	BOT_ANSWER, /* status and body */
	BOT_HANG,   /* reads the request, and is silent until the client goes */
	BOT_CUT,    /* reads the request, and closes without an answer */
	BOT_HALF    /* closes in the middle of the answer */
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

/* Answers of the next calls of a method, in order. When they are used up: getMe, deleteWebhook, sendMessage
 * and so on succeed; getUpdates waits for its timeout and has nothing. */
void bot_server_script(struct bot_server *s, const char *method, const struct bot_answer *answer);
/* {"ok":true,"result":RESULT} */
void bot_server_result(struct bot_server *s, const char *method, const char *result);
/* {"ok":false,...}; retry_after 0: none */
void bot_server_refuse(
    struct bot_server *s, const char *method, int code, const char *description, int retry_after);
/* A good answer with a body that is none. */
void bot_server_garbage(struct bot_server *s, const char *method, int status, const char *body);

/* A download below /file/ is a call of "file". What was asked so far: */
size_t bot_server_calls(struct bot_server *s, const char *method);
/* Of the nth call, from 0: its body (malloc'd), the number of its connection, when it came (clock_now). */
char *bot_server_body(struct bot_server *s, const char *method, size_t n);
unsigned bot_server_connection(struct bot_server *s, const char *method, size_t n);
uint64_t bot_server_time(struct bot_server *s, const char *method, size_t n);

#endif
