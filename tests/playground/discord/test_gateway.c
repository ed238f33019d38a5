#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include <zlib.h>
#include <zstd.h>

#include "base/buf.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "base/task.h"
#include "tests/playground/discord/discord_rig.h"
#include "net/websocket/websocket.h"

#define PROPERTIES "\"properties\":{\"os\":\"a\",\"browser\":\"b\",\"device\":\"c\"}"
#define IDENTIFY(token, intents) \
	"{\"op\":2,\"d\":{\"token\":\"" token "\",\"intents\":" intents "," PROPERTIES "}}"

static void leave(struct task *t, struct websocket *w, unsigned code)
{
	websocket_close(t, w, code, "");
}

/* On a new connection that payload is answered with a close of that code. */
static void expect_refusal(struct task *t, struct discord_rig *rig, const char *payload, unsigned code)
{
	struct websocket *w = discord_connect(t, rig);

	discord_tell(t, w, payload);
	discord_expect_close(t, w, code);
}

/* What the session of w needs to go on; ready is taken. */
struct place {
	char session[40], url[128];
};

static struct place place_of(struct json_object *ready)
{
	struct place p;

	str_copy(p.session, sizeof(p.session), discord_at(ready, "d.session_id"));
	str_copy(p.url, sizeof(p.url), discord_at(ready, "d.resume_gateway_url"));
	json_object_put(ready);
	return p;
}

static struct websocket *resume(struct task *t, const struct place *p, int seq)
{
	struct websocket *w = discord_connect_at(t, p->url, "v=10&encoding=json");
	char *text =
	    xasprintf("{\"op\":6,\"d\":{\"token\":\"" DISCORD_TOKEN "\",\"session_id\":\"%s\",\"seq\":%d}}",
		p->session, seq);

	json_object_put(discord_hear(t, w));
	discord_tell(t, w, text);
	free(text);
	return w;
}

static void hear_text(struct task *t, struct websocket *w, const char *seq, const char *content)
{
	struct json_object *o = discord_hear_event(t, w, "MESSAGE_CREATE");

	discord_has(o, "s", seq);
	discord_has(o, "d.content", content);
	json_object_put(o);
}

DISCORD_TEST(a_session_begins_with_ready_and_its_guilds)
{
	struct json_object *ready, *guild;
	struct websocket *w;

	discord_say(t, rig, "before, @bot");
	w = discord_login(t, rig, DISCORD_USUAL, &ready);
	discord_has(ready, "s", "1");
	discord_has(ready, "d.v", "10");
	discord_has(ready, "d.user.id", "900");
	discord_has(ready, "d.application.id", "900");
	discord_has(ready, "d.application.flags", "524288");
	discord_has(ready, "d.guilds.0.unavailable", "true");
	guild = discord_hear_event(t, w, "GUILD_CREATE");
	assert_string_equal(discord_at(guild, "d.id"), discord_at(ready, "d.guilds.0.id"));
	discord_has(guild, "d.name", "Playground");
	discord_has(guild, "d.channels.0.name", "dev");
	discord_has(guild, "d.roles.1.tags.bot_id", "900");
	json_object_put(guild);
	json_object_put(ready);
	guild = discord_call(t, rig, 200, "GET /channels/%s/messages", discord_dev(t, rig));
	discord_has(guild, "0.content", "before, <@900>");
	discord_has(guild, "0.mentions.0.id", "900");
	json_object_put(guild);
	discord_say(t, rig, "after");
	hear_text(t, w, "3", "after");
	leave(t, w, 1000);
}

static struct websocket *connect_with(struct task *t, struct discord_rig *rig, const char *query)
{
	char *url = xasprintf("ws%s/discord/gateway", rig->url + strlen("http"));
	struct websocket *w = discord_connect_at(t, url, query);

	free(url);
	return w;
}

static char plain[65536];

/* The next message of a stream, unpacked: each is complete. */
static size_t unpack_deflated(void *stream, const struct buf *message)
{
	z_stream *z = stream;

	assert_true(message->len > 4 && memcmp(message->data + message->len - 4, "\0\0\xff\xff", 4) == 0);
	z->next_in = (unsigned char *)message->data;
	z->avail_in = (unsigned)message->len;
	z->next_out = (unsigned char *)plain;
	z->avail_out = sizeof(plain);
	assert_int_equal(inflate(z, Z_SYNC_FLUSH), Z_OK);
	assert_int_equal(z->avail_in, 0);
	return sizeof(plain) - z->avail_out;
}

static size_t unpack_zstd(void *stream, const struct buf *message)
{
	ZSTD_inBuffer in = {message->data, message->len, 0};
	ZSTD_outBuffer out = {plain, sizeof(plain), 0};

	/* The frame never ends. */
	assert_true(ZSTD_decompressStream(stream, &out, &in) > 0);
	assert_int_equal(in.pos, in.size);
	return out.pos;
}

typedef size_t unpack_fn(void *stream, const struct buf *message);

static struct json_object *hear_packed(struct task *t, struct websocket *w, unpack_fn *unpack, void *stream)
{
	struct buf message = BUF_INIT;
	struct json_object *o;

	assert_int_equal(websocket_receive(t, w, &message, 3600000, NULL), 1);
	o = json_parse_object(plain, unpack(stream, &message), NULL);
	assert_non_null(o);
	buf_clear(&message);
	return o;
}

static void login_packed(
    struct task *t, struct discord_rig *rig, const char *query, unpack_fn *unpack, void *stream)
{
	struct json_object *hello, *ready;
	struct websocket *w;

	discord_say(t, rig, "before, @bot");
	w = connect_with(t, rig, query);
	hello = hear_packed(t, w, unpack, stream);
	discord_has(hello, "op", "10");
	/* What some clients send: the prefix of the header, and members that nobody reads. The stream
	 * excludes the other compression. */
	discord_tell(t, w,
	    "{\"op\":2,\"d\":{\"token\":\"Bot " DISCORD_TOKEN
	    "\",\"intents\":1,\"v\":9,\"compress\":true," PROPERTIES "}}");
	ready = hear_packed(t, w, unpack, stream);
	discord_has(ready, "d.user.id", "900");
	json_object_put(hello);
	json_object_put(ready);
	json_object_put(hear_packed(t, w, unpack, stream)); /* the guild */
	leave(t, w, 1000);
}

DISCORD_TEST(payloads_can_be_one_zlib_stream)
{
	z_stream z = {0};

	assert_int_equal(inflateInit(&z), Z_OK);
	login_packed(t, rig, "v=9&encoding=json&compress=zlib-stream", unpack_deflated, &z);
	inflateEnd(&z);
}

DISCORD_TEST(payloads_can_be_one_zstd_stream)
{
	ZSTD_DCtx *zstd = ZSTD_createDCtx();

	login_packed(t, rig, "v=10&encoding=json&compress=zstd-stream", unpack_zstd, zstd);
	ZSTD_freeDCtx(zstd);
}

/* Those that are large: READY is not. */
DISCORD_TEST(payloads_can_be_compressed_each_for_itself)
{
	struct buf message = BUF_INIT;
	struct json_object *guild;
	struct websocket *w;
	uLongf size = sizeof(plain);

	discord_say(t, rig, "before, @bot");
	w = discord_connect(t, rig);
	discord_tell(t, w,
	    "{\"op\":2,\"d\":{\"token\":\"" DISCORD_TOKEN "\",\"intents\":1,\"compress\":true," PROPERTIES
	    "}}");
	json_object_put(discord_hear_event(t, w, "READY"));
	assert_int_equal(websocket_receive(t, w, &message, 3600000, NULL), 1);
	assert_int_equal(
	    uncompress((unsigned char *)plain, &size, (unsigned char *)message.data, message.len), Z_OK);
	guild = json_parse_object(plain, size, NULL);
	discord_has(guild, "t", "GUILD_CREATE");
	json_object_put(guild);
	buf_clear(&message);
	leave(t, w, 1000);
}

DISCORD_TEST(payloads_can_be_terms_of_erlang)
{
	static const char hello[] = "\x83t\0\0\0\x04"
				    "d\0\x01td\0\x03nild\0\x01sd\0\x03nild\0\x02opa\x0a"
				    "d\0\x01"
				    "dt\0\0\0\x01"
				    "d\0\x12heartbeat_intervalb\0\0\xa1\x22";
	struct websocket *w = connect_with(t, rig, "v=10&encoding=etf");
	struct buf message = BUF_INIT;

	assert_int_equal(websocket_receive(t, w, &message, 3600000, NULL), 1);
	assert_int_equal(message.len, sizeof(hello) - 1);
	assert_memory_equal(message.data, hello, message.len);
	buf_clear(&message);
	discord_tell(t, w, IDENTIFY(DISCORD_TOKEN, "1"));
	discord_expect_close(t, w, 4002);
}

/* Some clients drop what arrives with the handshake. */
DISCORD_TEST(hello_comes_after_the_handshake)
{
	struct buf message = BUF_INIT;
	struct websocket *w;

	discord_set(t, rig, "\"hello_ms\":50");
	w = connect_with(t, rig, "v=10&encoding=json");
	discord_pass(t, 49);
	assert_int_equal(websocket_receive(t, w, &message, 0, NULL), 0);
	discord_pass(t, 1);
	discord_hear_op(t, w, 10, "{\"heartbeat_interval\":41250}");
	buf_clear(&message);
	leave(t, w, 1000);
}

static struct websocket *login_shard(struct task *t, struct discord_rig *rig, int shard)
{
	struct websocket *w = discord_connect(t, rig);
	char *text = xasprintf("{\"op\":2,\"d\":{\"token\":\"" DISCORD_TOKEN
			       "\",\"intents\":%s,\"shard\":[%d,2]," PROPERTIES "}}",
	    DISCORD_USUAL, shard);

	discord_tell(t, w, text);
	json_object_put(discord_hear_event(t, w, "READY"));
	free(text);
	return w;
}

DISCORD_TEST(a_shard_hears_of_its_guilds_alone)
{
	struct json_object *channel, *o;
	struct websocket *w[2];
	size_t shard;

	discord_set(t, rig, "\"limits\":false");
	channel = discord_call(t, rig, 200, "GET /channels/%s", discord_dev(t, rig));
	shard = (strtoull(discord_at(channel, "guild_id"), NULL, 10) >> 22) % 2;
	json_object_put(channel);
	for (int i = 0; i < 2; i++)
		w[i] = login_shard(t, rig, i);
	json_object_put(discord_hear_event(t, w[shard], "GUILD_CREATE"));
	discord_say(t, rig, "once");
	hear_text(t, w[shard], "3", "once");
	discord_tell(t, w[1 - shard], "{\"op\":1,\"d\":null}");
	o = discord_hear(t, w[1 - shard]);
	discord_has(o, "op", "11"); /* and nothing before it */
	json_object_put(o);
	leave(t, w[0], 1000);
	leave(t, w[1], 1000);
}

DISCORD_TEST(a_session_with_too_many_guilds_is_refused)
{
	struct websocket *w;
	char *say = xstrdup("\"user\":\"ann\",\"kind\":\"group\",\"text\":\"x\",\"chat\":\"c\"");

	discord_set(t, rig, "\"limits\":false,\"shard_guilds\":1");
	for (int i = 0; i < 2; i++) { /* the ids' shards are 0 and 1 of 2 */
		char *one = xasprintf("%s,\"guild\":\"%lld\"", say, (1000LL + i) << 22);

		discord_order(t, rig, "say", "%s", one);
		free(one);
	}
	free(say);
	expect_refusal(t, rig, IDENTIFY(DISCORD_TOKEN, "1"), 4011);
	w = login_shard(t, rig, 0);
	leave(t, w, 1000);
	discord_set(t, rig, "\"shard_guilds\":2");
	w = discord_login(t, rig, "1", NULL);
	leave(t, w, 1000);
}

DISCORD_TEST(payloads_that_are_wrong_end_the_connection)
{
	char *large = xmalloc(5000);

	memset(large, ' ', 4998);
	memcpy(large, "{\"op\":1,\"d\":null}", 17);
	large[4998] = '\0';
	expect_refusal(t, rig, large, 4002);
	expect_refusal(t, rig, "{", 4002);
	expect_refusal(t, rig, "[]", 4002);
	expect_refusal(t, rig, "{\"d\":null}", 4002);
	expect_refusal(t, rig, "{\"op\":77,\"d\":null}", 4001);
	expect_refusal(t, rig, "{\"op\":3,\"d\":{\"status\":\"online\"}}", 4003);
	expect_refusal(t, rig, "{\"op\":2,\"d\":{\"token\":\"" DISCORD_TOKEN "\"}}", 4002);
	expect_refusal(t, rig, IDENTIFY("x", "1"), 4004);
	expect_refusal(t, rig, IDENTIFY("OTAw.GabcDE.revokedAAAAAAAAAAAAAAAAAAAAAAA", "1"), 4004);
	expect_refusal(t, rig, IDENTIFY(DISCORD_TOKEN, "-1"), 4013);
	expect_refusal(t, rig, IDENTIFY(DISCORD_TOKEN, "1073741824"), 4013);
	expect_refusal(t, rig, IDENTIFY(DISCORD_TOKEN, "2"), 4014);
	expect_refusal(t, rig,
	    "{\"op\":2,\"d\":{\"token\":\"" DISCORD_TOKEN "\",\"intents\":1,\"shard\":[1,1]," PROPERTIES "}}",
	    4010);
	free(large);
}

DISCORD_TEST(an_intent_that_was_not_granted_ends_it)
{
	discord_set(t, rig, "\"message_content\":false");
	expect_refusal(t, rig, IDENTIFY(DISCORD_TOKEN, "32768"), 4014);
	discord_set(t, rig, "\"message_content\":true");
	leave(t, discord_login(t, rig, "32768", NULL), 1000);
}

DISCORD_TEST(other_versions_encodings_and_compressions_are_refused)
{
	char *url = xasprintf("ws%s/discord/gateway", rig->url + 4);
	struct websocket_options options = {0};
	char *zipped = xasprintf("%s?v=10&encoding=json&compress=brotli-stream", url);

	discord_expect_close(t, discord_connect_at(t, url, "v=5&encoding=json"), 4012);
	discord_expect_close(t, discord_connect_at(t, url, "encoding=json"), 4012);
	discord_expect_close(t, discord_connect_at(t, url, "v=10&encoding=xml"), 4002);
	options.url = zipped;
	assert_null(websocket_open(t, &options, NULL));
	free(zipped);
	free(url);
}

DISCORD_TEST(a_token_with_a_zero_in_it_is_none)
{
	struct websocket *w = discord_connect(t, rig);

	discord_tell(t, w, IDENTIFY(DISCORD_TOKEN "\\u0000", "1"));
	discord_expect_close(t, w, 4002);
}

DISCORD_TEST(identifying_twice_ends_it)
{
	struct websocket *w = discord_login(t, rig, "1", NULL);

	discord_tell(t, w, IDENTIFY(DISCORD_TOKEN, "1"));
	discord_expect_close(t, w, 4005);
}

DISCORD_TEST(heartbeats_are_acknowledged_and_missed_ones_end_it)
{
	struct websocket *w = discord_login(t, rig, "1", NULL);

	discord_tell(t, w, "{\"op\":1,\"d\":1}");
	discord_hear_op(t, w, 11, "null");
	discord_order(t, rig, "socket", "\"action\":\"heartbeat\"");
	discord_hear_op(t, w, 1, "null");
	for (int i = 0; i < 5; i++) {
		discord_pass(t, 41250);
		discord_tell(t, w, "{\"op\":1,\"d\":null}");
		discord_hear_op(t, w, 11, "null");
	}
	discord_pass(t, 2 * 41250);
	discord_expect_close(t, w, 4009);
}

DISCORD_TEST(a_heartbeat_of_the_future_ends_it)
{
	struct websocket *w = discord_login(t, rig, "1", NULL);

	discord_tell(t, w, "{\"op\":1,\"d\":99}");
	discord_expect_close(t, w, 4007);
}

DISCORD_TEST(more_than_120_payloads_a_minute_end_it)
{
	struct websocket *w = discord_login(t, rig, "1", NULL);

	for (int i = 1; i < 120; i++) {
		discord_tell(t, w, "{\"op\":1,\"d\":null}");
		discord_hear_op(t, w, 11, "null");
	}
	discord_tell(t, w, "{\"op\":1,\"d\":null}");
	discord_expect_close(t, w, 4008);
}

DISCORD_TEST(a_broken_connection_is_resumed_with_what_was_missed)
{
	struct json_object *ready;
	struct websocket *w;
	struct place p;

	discord_dev(t, rig);
	w = discord_login(t, rig, DISCORD_USUAL, &ready);
	p = place_of(ready);
	discord_skip_event(t, w, "GUILD_CREATE");
	discord_say(t, rig, "one");
	hear_text(t, w, "3", "one");
	discord_order(t, rig, "socket", "\"action\":\"abort\"");
	discord_expect_close(t, w, 0);
	discord_say(t, rig, "two");
	discord_pass(t, 200000);
	discord_say(t, rig, "three");
	w = resume(t, &p, 2);
	hear_text(t, w, "3", "one");
	hear_text(t, w, "4", "two");
	hear_text(t, w, "5", "three");
	ready = discord_hear_event(t, w, "RESUMED");
	discord_has(ready, "s", "6");
	json_object_put(ready);
	discord_say(t, rig, "four");
	hear_text(t, w, "7", "four");
	leave(t, w, 4900);
}

/* Whatever becomes of an event on its way, a RESUME brings it whole. */
static void expect_faulty(
    struct task *t, struct discord_rig *rig, const struct place *p, int seq, const char *fault)
{
	char number[12];
	struct websocket *w = resume(t, p, seq);

	json_object_put(discord_hear_event(t, w, "RESUMED"));
	discord_order(t, rig, "fault", "\"method\":\"event\",%s", fault);
	discord_say(t, rig, "a text that is longer than what arrives of it");
	discord_expect_close(t, w, 0);
	w = resume(t, p, seq + 1);
	snprintf(number, sizeof(number), "%d", seq + 2);
	hear_text(t, w, number, "a text that is longer than what arrives of it");
	json_object_put(discord_hear_event(t, w, "RESUMED"));
	leave(t, w, 4900);
}

DISCORD_TEST(an_event_that_breaks_off_at_any_byte_comes_again)
{
	struct json_object *ready;
	struct websocket *w;
	struct place p;

	discord_dev(t, rig);
	w = discord_login(t, rig, DISCORD_USUAL, &ready);
	p = place_of(ready);
	discord_skip_event(t, w, "GUILD_CREATE");
	leave(t, w, 4900);
	/* Each round has two RESUMEDs and a message. */
	expect_faulty(t, rig, &p, 2, "\"kind\":\"cut\",\"at_byte\":0");
	expect_faulty(t, rig, &p, 5, "\"kind\":\"cut\",\"at_byte\":1");
	expect_faulty(t, rig, &p, 8, "\"kind\":\"cut\",\"at_byte\":300");
	expect_faulty(t, rig, &p, 11, "\"kind\":\"close\"");
}

DISCORD_TEST(an_event_may_be_no_json)
{
	struct buf message = BUF_INIT;
	struct websocket *w;

	discord_dev(t, rig);
	w = discord_login(t, rig, DISCORD_USUAL, NULL);
	discord_skip_event(t, w, "GUILD_CREATE");
	discord_order(t, rig, "fault", "\"method\":\"event\",\"kind\":\"garbage\",\"text\":\"<html>\"");
	discord_say(t, rig, "one");
	assert_int_equal(websocket_receive(t, w, &message, UINT64_MAX, NULL), 1);
	assert_string_equal(message.data, "<html>");
	buf_clear(&message);
	discord_say(t, rig, "two");
	hear_text(t, w, "4", "two");
	leave(t, w, 1000);
}

/* After the connection of a fresh session was ended, a RESUME is answered with that op. */
static void expect_after(struct task *t, struct discord_rig *rig, const char *how, unsigned code, int op)
{
	struct json_object *ready, *o;
	struct websocket *w = discord_login(t, rig, "512", &ready);
	struct place p = place_of(ready);

	if (how) {
		discord_order(t, rig, "socket", "%s", how);
		discord_expect_close(t, w, code);
	} else {
		leave(t, w, code);
	}
	w = resume(t, &p, 1);
	o = discord_hear(t, w);
	assert_int_equal(json_get_int(o, "op", -1), op);
	if (op == 9)
		discord_has(o, "d", "false");
	json_object_put(o);
	leave(t, w, 1000);
	discord_pass(t, 5000);
}

DISCORD_TEST(which_closes_end_the_session)
{
	static const unsigned kept[] = {4000, 4001, 4002, 4003, 4005, 4008},
			      lost[] = {4004, 4007, 4009, 4010, 4013, 4014};
	char how[64];

	expect_after(t, rig, NULL, 1000, 9);
	expect_after(t, rig, NULL, 1001, 9);
	expect_after(t, rig, NULL, 4900, 0);
	expect_after(t, rig, "\"action\":\"abort\"", 0, 0);
	expect_after(t, rig, "\"action\":\"close\",\"code\":1000", 1000, 0);
	for (size_t i = 0; i < ARRAY_LEN(kept); i++) {
		snprintf(how, sizeof(how), "\"action\":\"close\",\"code\":%u", kept[i]);
		expect_after(t, rig, how, kept[i], 0);
		snprintf(how, sizeof(how), "\"action\":\"close\",\"code\":%u", lost[i]);
		expect_after(t, rig, how, lost[i], 9);
	}
	expect_after(t, rig, "\"action\":\"close\",\"code\":4000,\"resumable\":false", 4000, 9);
}

DISCORD_TEST(a_session_is_kept_for_five_minutes)
{
	struct json_object *ready;
	struct websocket *w = discord_login(t, rig, "512", &ready);
	struct place p = place_of(ready);

	leave(t, w, 4900);
	discord_pass(t, 300001);
	w = resume(t, &p, 1);
	discord_hear_op(t, w, 9, "false");
	leave(t, w, 1000);
}

DISCORD_TEST(a_resume_of_the_future_ends_it)
{
	struct json_object *ready;
	struct websocket *w = discord_login(t, rig, "512", &ready);
	struct place p = place_of(ready);

	leave(t, w, 4900);
	discord_expect_close(t, resume(t, &p, 50), 4007);
}

DISCORD_TEST(reconnect_and_invalid_session_are_said)
{
	struct websocket *w = discord_login(t, rig, "1", NULL);

	discord_order(t, rig, "socket", "\"action\":\"reconnect\"");
	discord_hear_op(t, w, 7, "null");
	discord_pass(t, 5000);
	discord_expect_close(t, w, 4000);
	w = discord_login(t, rig, "1", NULL);
	discord_order(t, rig, "socket", "\"action\":\"invalid_session\",\"resumable\":true");
	discord_hear_op(t, w, 9, "true");
	leave(t, w, 4900);
	discord_pass(t, 5000);
	w = discord_login(t, rig, "1", NULL);
	discord_order(t, rig, "socket", "\"action\":\"drop_acks\"");
	discord_tell(t, w, "{\"op\":1,\"d\":null}");
	discord_order(t, rig, "socket", "\"action\":\"reconnect\"");
	discord_hear_op(t, w, 7, "null");
	leave(t, w, 4900);
}

DISCORD_TEST(identifies_are_five_seconds_apart_and_a_thousand_a_day)
{
	struct websocket *w;

	leave(t, discord_login(t, rig, "1", NULL), 1000);
	w = discord_connect(t, rig);
	discord_tell(t, w, IDENTIFY(DISCORD_TOKEN, "1"));
	discord_hear_op(t, w, 9, "false");
	leave(t, w, 1000);
	assert_string_equal(
	    discord_keep(discord_call(t, rig, 200, "GET /gateway/bot"), "session_start_limit.remaining"),
	    "999");
	discord_set(t, rig, "\"session_starts\":0");
	discord_pass(t, 5000);
	expect_refusal(t, rig, IDENTIFY(DISCORD_TOKEN, "1"), 4004);
	discord_refused(t, rig, 401, 0, "GET /users/@me");
}

DISCORD_TEST(content_is_for_those_who_may_read_it)
{
	struct websocket *w;
	struct json_object *o;

	discord_dev(t, rig);
	w = discord_login(t, rig, "4608", NULL);
	discord_say(t, rig, "secret");
	hear_text(t, w, "2", "");
	discord_say(t, rig, "@bot open");
	hear_text(t, w, "3", "<@900> open");
	discord_order(t, rig, "say", "\"user\":\"ann\",\"text\":\"direct\"");
	o = discord_hear_event(t, w, "MESSAGE_CREATE");
	discord_has(o, "d.content", "direct");
	discord_has(o, "d.guild_id", "");
	json_object_put(o);
	leave(t, w, 1000);
}

DISCORD_TEST(events_come_to_who_asked_for_them)
{
	struct websocket *w;
	const char *id;

	discord_dev(t, rig);
	w = discord_login(t, rig, "1025", NULL); /* guilds, and reactions in them */
	discord_skip_event(t, w, "GUILD_CREATE");
	id = discord_say(t, rig, "hello");
	discord_order(
	    t, rig, "react", "\"chat\":\"dev\",\"user\":\"ann\",\"message_id\":\"%s\",\"emoji\":\"👍\"", id);
	discord_skip_event(t, w, "MESSAGE_REACTION_ADD");
	discord_order(t, rig, "react", "\"chat\":\"dev\",\"user\":\"ann\",\"message_id\":\"%s\"", id);
	discord_skip_event(t, w, "MESSAGE_REACTION_REMOVE");
	discord_order(t, rig, "say", "\"chat\":\"ops\",\"kind\":\"group\",\"user\":\"ann\",\"text\":\"x\"");
	discord_skip_event(t, w, "CHANNEL_CREATE");
	discord_order(t, rig, "topic", "\"chat\":\"ops\",\"action\":\"create\",\"thread\":\"plans\"");
	discord_skip_event(t, w, "THREAD_CREATE");
	discord_order(t, rig, "chat", "\"chat\":\"dev\",\"title\":\"devel\"");
	discord_skip_event(t, w, "CHANNEL_UPDATE");
	discord_order(t, rig, "member", "\"chat\":\"dev\",\"action\":\"remove\"");
	discord_skip_event(t, w, "GUILD_DELETE");
	leave(t, w, 1000);
}

DISCORD_TEST(payloads_come_in_pieces_and_may_be_nonsense)
{
	struct websocket *w;

	discord_dev(t, rig);
	discord_set(t, rig, "\"fragments\":7");
	w = discord_login(t, rig, DISCORD_USUAL, NULL);
	discord_skip_event(t, w, "GUILD_CREATE");
	discord_order(t, rig, "socket", "\"action\":\"post\",\"text\":\"{\\\"op\\\":99,\\\"d\\\":[]}\"");
	discord_hear_op(t, w, 99, "[]");
	leave(t, w, 1000);
}

DISCORD_TEST(members_are_asked_for_by_name_and_by_id)
{
	struct websocket *w;
	struct json_object *o;
	const char *guild;

	discord_say(t, rig, "hello");
	discord_set(t, rig, "\"members\":true");
	w = discord_login(t, rig, "3", NULL);
	guild = discord_keep(discord_hear_event(t, w, "GUILD_CREATE"), "d.id");
	{
		static const char *const asked[] = {"\"query\":\"an\",\"limit\":5",
		    "\"user_ids\":[\"900\",\"77\"]", "\"query\":\"\",\"limit\":0",
		    "\"query\":\"\",\"limit\":0"};

		for (size_t i = 0; i < ARRAY_LEN(asked); i++) {
			char *text = xasprintf(
			    "{\"op\":8,\"d\":{\"guild_id\":\"%s\",\"nonce\":\"n\",%s}}", guild, asked[i]);

			discord_tell(t, w, text);
			free(text);
		}
	}
	o = discord_hear_event(t, w, "GUILD_MEMBERS_CHUNK");
	discord_has(o, "d.members.0.user.global_name", "ann");
	discord_has(o, "d.members.1", "");
	json_object_put(o);
	o = discord_hear_event(t, w, "GUILD_MEMBERS_CHUNK");
	discord_has(o, "d.members.0.user.id", "900");
	discord_has(o, "d.not_found.0", "77");
	json_object_put(o);
	discord_skip_event(t, w, "GUILD_MEMBERS_CHUNK");
	o = discord_hear_event(t, w, "RATE_LIMITED"); /* all of them again */
	discord_has(o, "d.retry_after", "30.0");
	discord_has(o, "d.meta.nonce", "n");
	json_object_put(o);
	leave(t, w, 1000);
}

DISCORD_TEST(a_bot_enters_a_voice_channel_and_asks_for_sounds)
{
	struct websocket *w;
	struct json_object *o;
	const char *guild, *voice;
	char *text;

	discord_order(t, rig, "member", "\"chat\":\"dev\",\"kind\":\"group\",\"action\":\"promote\"");
	guild = discord_keep(discord_call(t, rig, 200, "GET /channels/%s", discord_dev(t, rig)), "guild_id");
	voice = discord_keep(
	    discord_call(t, rig, 201, "POST /guilds/%s/channels {\"name\":\"v\",\"type\":2}", guild), "id");
	w = discord_login(t, rig, "129", NULL);
	discord_skip_event(t, w, "GUILD_CREATE");
	text = xasprintf("{\"op\":4,\"d\":{\"guild_id\":\"%s\",\"channel_id\":\"%s\",\"self_mute\":true,"
			 "\"self_deaf\":false}}",
	    guild, voice);
	discord_tell(t, w, text);
	free(text);
	o = discord_hear_event(t, w, "VOICE_STATE_UPDATE");
	discord_has(o, "d.channel_id", voice);
	discord_has(o, "d.self_mute", "true");
	json_object_put(o);
	discord_skip_event(t, w, "VOICE_SERVER_UPDATE");
	text = xasprintf("{\"op\":31,\"d\":{\"guild_ids\":[\"%s\"]}}", guild);
	discord_tell(t, w, text);
	free(text);
	discord_skip_event(t, w, "SOUNDBOARD_SOUNDS");
	leave(t, w, 1000);
}

DISCORD_TEST(shards_of_different_buckets_identify_at_the_same_time)
{
	static const char *const shards[] = {"[0,4]", "[1,4]", "[2,4]"};
	struct websocket *w[ARRAY_LEN(shards)];

	discord_set(t, rig, "\"max_concurrency\":2");
	for (size_t i = 0; i < ARRAY_LEN(shards); i++) {
		char *text = xasprintf("{\"op\":2,\"d\":{\"token\":\"" DISCORD_TOKEN
				       "\",\"intents\":0,\"properties\":{},\"shard\":%s}}",
		    shards[i]);

		w[i] = discord_connect(t, rig);
		discord_tell(t, w[i], text);
		free(text);
	}
	discord_skip_event(t, w[0], "READY");
	discord_skip_event(t, w[1], "READY");
	discord_hear_op(t, w[2], 9, "false"); /* it shares the first one's */
	discord_reported(t, rig, "rate_limited", "gateway IDENTIFY", 1);
	for (size_t i = 0; i < ARRAY_LEN(shards); i++)
		leave(t, w[i], 1000);
}

DISCORD_TEST(a_reset_and_a_snapshot_change_the_guilds)
{
	struct discord_reply saved;
	struct websocket *w;
	char *body;

	discord_dev(t, rig);
	w = discord_login(t, rig, "1", NULL);
	discord_skip_event(t, w, "GUILD_CREATE");
	discord_send(t, rig, &(struct discord_request){.method = "GET", .path = "/control/snapshot"}, &saved);
	discord_order(t, rig, "reset", "\"user\":\"ann\"");
	discord_skip_event(t, w, "GUILD_DELETE");
	body = xasprintf("\"snapshot\":%s", json_object_get_string(json_get(saved.json, "snapshot")));
	discord_order(t, rig, "snapshot", "%s", body);
	discord_skip_event(t, w, "GUILD_CREATE");
	free(body);
	discord_reply_clear(&saved);
	leave(t, w, 1000);
}

/* The bot lives in the machine's time. */
DISCORD_TEST(a_moved_clock_is_no_missed_heartbeat)
{
	struct websocket *w;

	discord_dev(t, rig);
	w = discord_login(t, rig, "1", NULL);
	discord_skip_event(t, w, "GUILD_CREATE");
	discord_order(t, rig, "clock", "\"advance\":86400");
	discord_tell(t, w, "{\"op\":1,\"d\":null}");
	discord_hear_op(t, w, 11, "null");
	leave(t, w, 1000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_session_begins_with_ready_and_its_guilds),
	    cmocka_unit_test(payloads_that_are_wrong_end_the_connection),
	    cmocka_unit_test(payloads_can_be_one_zlib_stream),
	    cmocka_unit_test(payloads_can_be_one_zstd_stream),
	    cmocka_unit_test(payloads_can_be_compressed_each_for_itself),
	    cmocka_unit_test(payloads_can_be_terms_of_erlang),
	    cmocka_unit_test(hello_comes_after_the_handshake),
	    cmocka_unit_test(members_are_asked_for_by_name_and_by_id),
	    cmocka_unit_test(a_bot_enters_a_voice_channel_and_asks_for_sounds),
	    cmocka_unit_test(shards_of_different_buckets_identify_at_the_same_time),
	    cmocka_unit_test(a_shard_hears_of_its_guilds_alone),
	    cmocka_unit_test(a_session_with_too_many_guilds_is_refused),
	    cmocka_unit_test(an_intent_that_was_not_granted_ends_it),
	    cmocka_unit_test(other_versions_encodings_and_compressions_are_refused),
	    cmocka_unit_test(a_token_with_a_zero_in_it_is_none),
	    cmocka_unit_test(identifying_twice_ends_it),
	    cmocka_unit_test(heartbeats_are_acknowledged_and_missed_ones_end_it),
	    cmocka_unit_test(a_heartbeat_of_the_future_ends_it),
	    cmocka_unit_test(more_than_120_payloads_a_minute_end_it),
	    cmocka_unit_test(a_broken_connection_is_resumed_with_what_was_missed),
	    cmocka_unit_test(an_event_that_breaks_off_at_any_byte_comes_again),
	    cmocka_unit_test(an_event_may_be_no_json),
	    cmocka_unit_test(which_closes_end_the_session),
	    cmocka_unit_test(a_session_is_kept_for_five_minutes),
	    cmocka_unit_test(a_resume_of_the_future_ends_it),
	    cmocka_unit_test(reconnect_and_invalid_session_are_said),
	    cmocka_unit_test(identifies_are_five_seconds_apart_and_a_thousand_a_day),
	    cmocka_unit_test(content_is_for_those_who_may_read_it),
	    cmocka_unit_test(events_come_to_who_asked_for_them),
	    cmocka_unit_test(payloads_come_in_pieces_and_may_be_nonsense),
	    cmocka_unit_test(a_reset_and_a_snapshot_change_the_guilds),
	    cmocka_unit_test(a_moved_clock_is_no_missed_heartbeat),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
