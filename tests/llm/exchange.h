#ifndef TESTS_LLM_EXCHANGE_H
#define TESTS_LLM_EXCHANGE_H
/*
 * For tests of model requests: a conversation of one message, a provider on this machine, and the outcome of
 * a request. The peer plays exact bytes (net/raw_server.h).
 */
#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/error.h"
#include "llm/llm.h"
#include "net/raw_server.h"

#define HEAD(type) "HTTP/1.1 200 OK\r\nContent-Type: " type "\r\nConnection: close\r\n\r\n"
#define STREAM     HEAD("text/event-stream")
#define CHUNKED    "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"
#define REFUSE(status, headers, body) \
	"HTTP/1.1 " status "\r\nContent-Type: application/json\r\nConnection: close\r\n" headers "\r\n" body
#define TEXT(text) "data: {\"choices\":[{\"delta\":{\"content\":\"" text "\"},\"finish_reason\":null}]}\n\n"
#define FINISH     "data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n"
#define DONE       "data: [DONE]\n\n"
#define HELLO      STREAM TEXT("Hel") TEXT("lo") FINISH DONE

struct task;

struct exchange {
	struct llm_provider provider;
	struct llm_history history; /* the user says "Hi" */
	struct llm_request req;
	struct llm_sink sink;
	struct llm_answer answer;
	struct error err;
	int rc;
	bool done;
	struct buf said; /* text sent to the sink; a restart is a | */
	struct raw_server *server;
	struct task *task;
};

/* The nth connection plays the nth script, later ones the last. */
void exchange_init(struct exchange *exchange, const struct raw_step *const *scripts, size_t count);
void exchange_clear(struct exchange *exchange);
/* Runs one request in the provider's format to its end. */
void exchange_once(struct exchange *exchange);
/* The same of an exchange that the function begins, as exchange_init does; the peer reads the request, and
 * plays these steps. */
#define EXCHANGE_ASK(begin, exchange, ...)                                        \
	do {                                                                      \
		static const struct raw_step steps_[] = {READ, __VA_ARGS__, END}; \
		static const struct raw_step *const scripts_[] = {steps_};        \
		begin(exchange, scripts_, 1);                                     \
		exchange_once(exchange);                                          \
	} while (0)
/* exchange_once without waiting for its end. */
void exchange_start(struct exchange *exchange);
/* For cmocka: checks that the client holds nothing and no task runs. */
int exchange_tear_down(void **state);

void assert_said(const struct exchange *exchange, const char *text);
void assert_failed(const struct exchange *exchange, enum llm_error_class class, const char *words);

#endif
