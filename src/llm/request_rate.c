#include "llm/request_rate.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

#include "base/time/clock.h"
#include "base/mem.h"

#define MINUTE_MS 60000
/* Maximum wait for a reset; a daily quota is handled by retries. */
#define RESET_MAX_MS (10 * 60 * 1000)

void llm_request_rate_init(struct llm_request_rate *request_rate, int64_t rpm)
{
	*request_rate = (struct llm_request_rate){.size = (size_t)rpm};
	request_rate->taken = rpm > 0 ? xcalloc(request_rate->size, sizeof(*request_rate->taken)) : NULL;
	for (size_t i = 0; i < LLM_REQUEST_RATE_KINDS; i++)
		request_rate->kinds[i].left = -1;
}

void llm_request_rate_clear(struct llm_request_rate *request_rate)
{
	free(request_rate->taken);
	request_rate->taken = NULL;
	request_rate->size = 0;
}

static const struct {
	const char *text;
	uint64_t ms;
} units[] = {{"ms", 1}, {"s", 1000}, {"m", MINUTE_MS}, {"h", 3600000}, {"", 1000}};

/* Parses "6m0s", "120ms", "59.56s", "20" (seconds); false when invalid. */
static bool read_duration(const char *value, uint64_t *ms)
{
	double sum = 0;

	for (char *end; *value; value = end) {
		double number = strtod(value, &end);
		size_t len = strspn(end, "mshMSH"), i = 0;
		while (i < ARRAY_LEN(units) &&
		    (strlen(units[i].text) != len || strncasecmp(units[i].text, end, len) != 0))
			i++;
		if (end == value || i == ARRAY_LEN(units) || !(number >= 0 && number < 1e9))
			return false;
		sum += number * (double)units[i].ms;
		end += len;
	}
	*ms = sum < RESET_MAX_MS ? (uint64_t)sum : RESET_MAX_MS;
	return true;
}

/* "2026-11-22T02:00:00Z" */
static bool read_time(const char *value, uint64_t *ms)
{
	struct tm tm = {0};
	const char *rest = strptime(value, "%Y-%m-%dT%H:%M:%S", &tm);

	if (!rest)
		return false;
	int64_t ahead = (int64_t)timegm(&tm) * 1000 - clock_wall();
	*ms = ahead <= 0 ? 0 : ahead < RESET_MAX_MS ? (uint64_t)ahead : RESET_MAX_MS;
	return true;
}

/* The rest of the name decides: "input-tokens" before "tokens". */
static size_t kind_of(const char *rest)
{
	static const char *const kinds[LLM_REQUEST_RATE_KINDS] = {
	    "requests", "input-tokens", "output-tokens", "tokens"};
	size_t i = 0;

	while (i < LLM_REQUEST_RATE_KINDS && !strcasestr(rest, kinds[i]))
		i++;
	return i;
}

void llm_request_rate_header(
    struct llm_request_rate *request_rate, const char *prefix, const char *name, const char *value)
{
	size_t len = prefix ? strlen(prefix) : 0;
	uint64_t ms;

	if (len == 0 || strncasecmp(name, prefix, len) != 0 || kind_of(name + len) == LLM_REQUEST_RATE_KINDS)
		return;
	size_t kind = kind_of(name + len);
	if (strcasestr(name + len, "remaining"))
		request_rate->kinds[kind].left = strtoll(value, NULL, 10);
	else if (strcasestr(name + len, "reset") && (read_time(value, &ms) || read_duration(value, &ms)))
		request_rate->kinds[kind].until = clock_now() + ms;
}

/* Returns when the next request may be sent. */
static uint64_t request_rate_due(const struct llm_request_rate *request_rate)
{
	uint64_t due = request_rate->size > 0 && request_rate->taken[request_rate->next] > 0 ?
	    request_rate->taken[request_rate->next] + MINUTE_MS :
	    0;

	for (size_t i = 0; i < LLM_REQUEST_RATE_KINDS; i++)
		if (request_rate->kinds[i].left == 0 && request_rate->kinds[i].until > due)
			due = request_rate->kinds[i].until;
	return due;
}

uint64_t llm_request_rate_wait(const struct llm_request_rate *request_rate)
{
	uint64_t due = request_rate_due(request_rate), now = clock_now();

	return due > now ? due - now : 0;
}

void llm_request_rate_take(struct llm_request_rate *request_rate)
{
	if (request_rate->size == 0)
		return;
	request_rate->taken[request_rate->next] = clock_now() + llm_request_rate_wait(request_rate);
	request_rate->next = (request_rate->next + 1) % request_rate->size;
}
