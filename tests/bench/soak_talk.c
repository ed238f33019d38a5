#include "bench/soak_talk.h"

#include <inttypes.h>
#include <json-c/json.h>

#include "base/json/json.h"
#include "base/mem.h"
#include "bench/bench.h"
#include "bench/bench_stage.h"
#include "crash/random.h"

#define FIRST_CHAT 200000
#define NEW_CHATS  10 /* chats that a round brings, and that are left */
#define MOST_MS    60000
#define LOOK_MS    20
#define REPEAT     "may be a repeat"
/* A fault in one of so many rounds. */
#define FAULT_ROUNDS 4

struct talk_kind {
	const char *say; /* the tag stands for %s */
	unsigned weight;
	bool plain; /* one message without the tag is the answer */
};

static const struct talk_kind kinds[] = {
    {"Please ask %s", 50, false},
    {"Please look up %s", 15, false},
    {"Please compare for %s", 6, false},
    {"Please speak at length of %s", 5, false},
    {"Please think about %s", 8, false},
    {"Please refuse %s", 2, true},
    {"/new", 6, true},
    {"/status", 4, true},
    {"/whoami", 2, true},
    {"/help", 2, true},
};

/* Of sends, one at most: a reply that is in doubt a second time is held, as it must be. */
static const char *const faults[] = {
    "{\"platform\":\"telegram\",\"method\":\"getUpdates\",\"kind\":\"close\"}",
    "{\"platform\":\"telegram\",\"method\":\"getUpdates\",\"kind\":\"garbage\"}",
    "{\"platform\":\"telegram\",\"method\":\"sendMessage\",\"kind\":\"close\"}",
    "{\"platform\":\"telegram\",\"method\":\"sendMessage\",\"kind\":\"cut\"}",
    "{\"platform\":\"telegram\",\"method\":\"sendMessage\",\"kind\":\"status\",\"status\":502}",
    "{\"platform\":\"telegram\",\"method\":\"sendMessage\",\"kind\":\"retry_after\",\"seconds\":1}",
    "{\"platform\":\"model\",\"kind\":\"close\",\"count\":3}",
    "{\"platform\":\"model\",\"kind\":\"cut\",\"count\":3}",
    "{\"platform\":\"model\",\"kind\":\"garbage\"}",
    "{\"platform\":\"model\",\"kind\":\"stall\",\"seconds\":1,\"count\":3}",
    "{\"platform\":\"model\",\"kind\":\"status\",\"status\":503,\"count\":3}",
};

static const struct talk_kind *choose(uint64_t *random)
{
	unsigned sum = 0, at;

	for (size_t i = 0; i < ARRAY_LEN(kinds); i++)
		sum += kinds[i].weight;
	at = (unsigned)random_below(random, sum);
	for (size_t i = 0;; i++) {
		if (at < kinds[i].weight)
			return &kinds[i];
		at -= kinds[i].weight;
	}
}

static void say(struct talk *talk, struct stage *s, size_t i)
{
	struct talk_line *line = &talk->lines[i];
	char *text;

	*line = (struct talk_line){
	    .kind = choose(&talk->random),
	    .chat = FIRST_CHAT + (int64_t)(talk->rounds * NEW_CHATS + i),
	};
	snprintf(line->tag, sizeof(line->tag), "n%zu", talk->messages++);
	text = line->kind->plain && line->kind->say[0] == '/' ?
	    xstrdup(line->kind->say) :
	    xasprintf("%.*s%s", (int)strcspn(line->kind->say, "%"), line->kind->say, line->tag);
	stage_say(s, line->chat, text);
	free(text);
}

static uint64_t hash(const char *text, size_t len)
{
	uint64_t h = 0xcbf29ce484222325u; /* FNV-1a */

	for (size_t i = 0; i < len; i++)
		h = (h ^ (unsigned char)text[i]) * 0x100000001b3u;
	return h;
}

static bool has_part(const struct talk_line *line, uint64_t part)
{
	for (size_t i = 0; i < line->part_count; i++)
		if (line->parts[i] == part)
			return true;
	return false;
}

/* 1: the end of this answer; -1: that of another; 0: of none. */
static int ends_line(const struct talk_line *line, const char *text)
{
	const char *end = strstr(text, " whole]");
	size_t len = strlen(line->tag);

	if (line->kind->plain)
		return !end ? 1 : -1;
	if (!end)
		return 0;
	return (size_t)(end - text) > len && end[-1 - (ptrdiff_t)len] == '[' &&
		memcmp(end - len, line->tag, len) == 0 ?
	    1 :
	    -1;
}

static void tell_doubled(struct talk *talk, const struct talk_line *line, const char *text)
{
	printf("# doubled, to \"%s\" (%s): %.200s\n", line->kind->say, line->tag, text);
	talk->doubled++;
}

/* A repeat says so, and is the same text but for that. */
static void take_text(struct talk *talk, struct talk_line *line, const char *text)
{
	uint64_t part = hash(text, strlen(text));
	int end = ends_line(line, text);

	if (strcasestr(text, REPEAT))
		talk->repeats++;
	else if (end < 0 || has_part(line, part) || line->part_count == TALK_PARTS ||
	    (line->kind->plain && line->part_count > 0))
		tell_doubled(talk, line, text);
	else
		line->parts[line->part_count++] = part;
	line->whole |= end > 0;
}

static bool was_delivered(struct json_object *record)
{
	const char *fault = json_get_str(record, "fault");

	return json_get_int(record, "status", 0) == 200 || (fault && strcmp(fault, "cut") == 0);
}

static void take_record(struct talk *talk, struct json_object *record)
{
	struct json_object *body = json_get_object(record, "body");
	int64_t place = json_get_int(body, "chat_id", 0) - talk->lines[0].chat;
	const char *text = json_get_str(body, "text");

	if (!was_delivered(record))
		return;
	talk->sends++;
	if (place < 0 || place >= (int64_t)talk->count || !text) {
		printf("# stray: %.300s\n", json_object_get_string(record));
		talk->stray++;
		return;
	}
	take_text(talk, &talk->lines[place], text);
}

static void look(struct talk *talk, struct stage *s)
{
	struct json_object *records = stage_sent(s, "sendMessage"),
			   *array = json_get_array(records, "requests");

	for (size_t i = 0; i < json_object_array_length(array); i++) {
		struct json_object *record = json_object_array_get_idx(array, i);

		take_record(talk, record);
		s->seen = json_get_int(record, "n", s->seen);
	}
	json_object_put(records);
}

static size_t count_open(const struct talk *talk)
{
	size_t n = 0;

	for (size_t i = 0; i < talk->count; i++)
		n += !talk->lines[i].whole;
	return n;
}

static void tell_lost(struct talk *talk)
{
	for (size_t i = 0; i < talk->count; i++) {
		const struct talk_line *line = &talk->lines[i];

		if (line->whole)
			continue;
		printf("# lost: \"%s\" (%s) in chat %" PRId64 " has %zu parts\n", line->kind->say, line->tag,
		    line->chat, line->part_count);
		talk->lost++;
	}
}

void talk_round(struct talk *talk, struct stage *s, size_t messages)
{
	double until;

	talk->count = messages;
	if (random_below(&talk->random, FAULT_ROUNDS) == 0)
		stage_post(s, "fault", faults[random_below(&talk->random, ARRAY_LEN(faults))]);
	for (size_t i = 0; i < messages; i++)
		say(talk, s, i);
	talk->rounds++;
	until = bench_now_ms() + MOST_MS;
	for (look(talk, s); count_open(talk) > 0 && bench_now_ms() < until; look(talk, s))
		bench_sleep_ms(LOOK_MS);
	stage_await_ready(s);
	tell_lost(talk);
}

bool talk_is_well(const struct talk *talk)
{
	return talk->lost + talk->doubled + talk->stray == 0;
}

bool talk_report(const struct talk *talk, int number)
{
	bool good = talk_is_well(talk);

	printf("%s %d - %zu messages: %zu lost, %zu doubled, %zu to nobody who asked; %zu answers, %zu "
	       "marked as repeats\n",
	    good ? "ok" : "not ok", number, talk->messages, talk->lost, talk->doubled, talk->stray,
	    talk->sends, talk->repeats);
	return good;
}
