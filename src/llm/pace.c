#include "llm/pace.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

#include "base/clock.h"
#include "base/mem.h"

#define MINUTE_MS 60000
/* A reset further away is not believed: limits of a day are met by asking again. */
#define RESET_MOST_MS (10 * 60 * 1000)

void llm_pace_init(struct llm_pace *pace, int64_t rpm)
{
	*pace = (struct llm_pace){.size = (size_t)rpm};
	pace->taken = rpm > 0 ? xcalloc(pace->size, sizeof(*pace->taken)) : NULL;
	for (size_t i = 0; i < LLM_PACE_KINDS; i++)
		pace->kinds[i].left = -1;
}

void llm_pace_clear(struct llm_pace *pace)
{
	free(pace->taken);
	pace->taken = NULL;
	pace->size = 0;
}

static const struct {
	const char *text;
	uint64_t ms;
} units[] = {{"ms", 1}, {"s", 1000}, {"m", MINUTE_MS}, {"h", 3600000}, {"", 1000}};

/* "6m0s", "120ms", "59.56s", "20" (seconds); false when it is none. */
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
	*ms = sum < RESET_MOST_MS ? (uint64_t)sum : RESET_MOST_MS;
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
	*ms = ahead <= 0 ? 0 : ahead < RESET_MOST_MS ? (uint64_t)ahead : RESET_MOST_MS;
	return true;
}

/* The name's rest decides: "input-tokens" before "tokens". */
static size_t kind_of(const char *rest)
{
	static const char *const kinds[LLM_PACE_KINDS] = {
	    "requests", "input-tokens", "output-tokens", "tokens"};
	size_t i = 0;

	while (i < LLM_PACE_KINDS && !strcasestr(rest, kinds[i]))
		i++;
	return i;
}

void llm_pace_header(struct llm_pace *pace, const char *prefix, const char *name, const char *value)
{
	size_t len = prefix ? strlen(prefix) : 0;
	uint64_t ms;

	if (len == 0 || strncasecmp(name, prefix, len) != 0 || kind_of(name + len) == LLM_PACE_KINDS)
		return;
	size_t kind = kind_of(name + len);
	if (strcasestr(name + len, "remaining"))
		pace->kinds[kind].left = strtoll(value, NULL, 10);
	else if (strcasestr(name + len, "reset") && (read_time(value, &ms) || read_duration(value, &ms)))
		pace->kinds[kind].until = clock_now() + ms;
}

/* When the next request may leave. */
static uint64_t pace_due(const struct llm_pace *pace)
{
	uint64_t due =
	    pace->size > 0 && pace->taken[pace->next] > 0 ? pace->taken[pace->next] + MINUTE_MS : 0;

	for (size_t i = 0; i < LLM_PACE_KINDS; i++)
		if (pace->kinds[i].left == 0 && pace->kinds[i].until > due)
			due = pace->kinds[i].until;
	return due;
}

uint64_t llm_pace_wait(const struct llm_pace *pace)
{
	uint64_t due = pace_due(pace), now = clock_now();

	return due > now ? due - now : 0;
}

void llm_pace_take(struct llm_pace *pace)
{
	if (pace->size == 0)
		return;
	pace->taken[pace->next] = clock_now() + llm_pace_wait(pace);
	pace->next = (pace->next + 1) % pace->size;
}
