#include "cluster/guilds.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/json/json.h"
#include "base/mem.h"
#include "cluster/nodes.h"

#define ASKED_MAX 64

static struct {
	unsigned shards, count;
	char chats[ASKED_MAX][24]; /* of the questions */
} asked;

void guilds_begin(unsigned shards)
{
	asked.shards = shards;
	asked.count = 0;
	json_object_put(flow_control(&platforms, "settings", "{\"discord\":{\"shards\":%u}}", shards));
}

void guilds_ask(unsigned shard)
{
	struct json_object *o;

	assert_true(asked.count < ASKED_MAX);
	o = flow_control(&platforms, "say",
	    "{\"platform\":\"discord\",\"guild\":\"%lld\",\"chat\":\"room\",\"kind\":\"group\","
	    "\"user\":\"ann\",\"text\":\"@myna question %u.\"}",
	    (6000LL + shard) << 22, asked.count + 1);
	str_copy(asked.chats[asked.count++], sizeof(asked.chats[0]), json_get_str(o, "chat_id"));
	json_object_put(o);
}

void guilds_ask_all(void)
{
	for (unsigned shard = 0; shard < asked.shards; shard++)
		guilds_ask(shard);
}

const char *guilds_chat(unsigned number)
{
	return asked.chats[number - 1];
}

static size_t answers(unsigned number)
{
	char *answer = xasprintf("It is <%u>", number);
	size_t found = flow_count_said_on(&platforms, "discord", guilds_chat(number), answer);

	free(answer);
	return found;
}

void guilds_judge(void)
{
	for (unsigned n = 1; n <= asked.count; n++)
		flow_until(&platforms, answers(n) > 0);
	nodes_await_quiet();
	for (unsigned n = 1; n <= asked.count; n++)
		assert_int_equal(answers(n), 1);
	nodes_judge();
}

size_t guilds_sent(const char *method, int64_t *closest)
{
	struct json_object *o = flow_get(&platforms, "/control/requests?platform=discord"),
			   *list = json_get_array(o, "requests");
	int64_t last = 0;
	size_t found = 0;

	for (size_t i = 0; list && i < json_object_array_length(list); i++) {
		struct json_object *r = json_object_array_get_idx(list, i);
		int64_t at = json_get_int(r, "began_us", 0);

		if (strcmp(json_get_str(r, "method"), method) != 0)
			continue;
		if (closest && last != 0 && at - last < *closest)
			*closest = at - last;
		last = at;
		found++;
	}
	json_object_put(o);
	return found;
}
