/* Files to and from Telegram, as its server may take or refuse them. */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bus/attachment.h"
#include "channels/telegram/download.h"
#include "channels/telegram/upload.h"
#include "tests/channels/telegram/telegram_stage.h"

#define FOUND \
	"{\"file_id\":\"f1\",\"file_unique_id\":\"u\",\"file_size\":5,\"file_path\":\"documents/a b.txt\"}"

static char copy[] = "/tmp/telegram-files-XXXXXX";

/* --- downloads */

struct load {
	struct buf bytes;
	int64_t most;
	struct error err;
};

static int take(const char *data, size_t len, void *arg)
{
	struct load *l = arg;

	if ((int64_t)(l->bytes.len + len) > l->most)
		return -1;
	buf_add(&l->bytes, data, len);
	return 0;
}

static int fetch(struct task *t, struct load *l, const char *ref, int64_t size)
{
	struct attachment a = {.ref = xstrdup(ref), .size = size};
	struct attachment_sink sink = {.max_bytes = l->most, .total_ms = 1500, .data = take, .arg = l};
	int rc;

	buf_reset(&l->bytes);
	error_clear(&l->err);
	rc = telegram_ops.fetch(t, &the_double.ch, &a, &sink, &l->err);
	assert_null(strstr(l->err.text, "secret-token"));
	assert_null(strstr(l->err.text, ref));
	attachment_clear(&a);
	return rc;
}

static void answer_file(int status, const char *body)
{
	bot_server_script(server, "file", &(struct bot_answer){.status = status, .body = body});
}

static void check_fetch(struct task *t)
{
	struct load l = {.bytes = BUF_INIT, .most = 100};
	char *body;

	bot_server_result(server, "getFile", FOUND);
	answer_file(200, "hello");
	assert_int_equal(fetch(t, &l, "ref-1", -1), 0);
	assert_string_equal(l.bytes.data, "hello");
	body = bot_server_body(server, "getFile", 0);
	assert_string_equal(body, "{\"file_id\":\"ref-1\"}");
	free(body);
	buf_clear(&l.bytes);
}

static void check_fetch_failures(struct task *t)
{
	static const struct {
		int status;
		const char *body;
		enum error_kind kind;
	} files[] = {
	    {404, "{\"ok\":false,\"error_code\":404,\"description\":\"Not Found\"}", ERROR_NETWORK},
	    {502, "<html>", ERROR_NETWORK},
	    {401, "no", ERROR_REFUSED},
	    {429, "slow", ERROR_LIMITED},
	};
	struct load l = {.bytes = BUF_INIT, .most = 100};

	for (size_t i = 0; i < ARRAY_LEN(files); i++) {
		bot_server_result(server, "getFile", FOUND);
		answer_file(files[i].status, files[i].body);
		assert_int_equal(fetch(t, &l, "ref-1", -1), -1);
		assert_int_equal(l.err.kind, files[i].kind);
		assert_string_equal(l.bytes.data, "");
	}
	bot_server_result(server, "getFile", FOUND);
	bot_server_script(server, "file",
	    &(struct bot_answer){.how = BOT_HALF,
		.status = 200,
		.body = "hello, this is long enough to be cut in its middle, and it is"});
	assert_int_equal(fetch(t, &l, "ref-1", -1), -1);
	assert_int_equal(l.err.kind, ERROR_NETWORK);
	buf_clear(&l.bytes);
}

static void check_find_failures(struct task *t)
{
	struct load l = {.bytes = BUF_INIT, .most = 100};

	bot_server_refuse(server, "getFile", 400, "Bad Request: file is too big", 0);
	assert_int_equal(fetch(t, &l, "ref-1", -1), -1);
	assert_int_equal(l.err.kind, ERROR_REFUSED);
	assert_non_null(strstr(l.err.text, "at most 20 MB"));
	bot_server_refuse(
	    server, "getFile", 400, "Bad Request: wrong file_id or the file is temporarily unavailable", 0);
	assert_int_equal(fetch(t, &l, "ref-1", -1), -1);
	assert_int_equal(l.err.kind, ERROR_REFUSED);
	bot_server_refuse(server, "getFile", 429, "Too Many Requests: retry after 3", 3);
	assert_int_equal(fetch(t, &l, "ref-1", -1), -1);
	assert_int_equal(l.err.kind, ERROR_LIMITED);
	bot_server_garbage(server, "getFile", 502, "<html>");
	assert_int_equal(fetch(t, &l, "ref-1", -1), -1);
	assert_int_equal(l.err.kind, ERROR_NETWORK);
	assert_int_equal(bot_server_calls(server, "file"), 0);
}

static void check_bad_paths(struct task *t)
{
	static const char *const results[] = {
	    "{\"file_id\":\"f1\"}",
	    "{\"file_id\":\"f1\",\"file_path\":\"\"}",
	    "{\"file_id\":\"f1\",\"file_path\":\"/var/lib/telegram-bot-api/999/a.txt\"}",
	    "{\"file_id\":\"f1\",\"file_path\":\"documents/../../bot/getMe\"}",
	    "true",
	};
	struct load l = {.bytes = BUF_INIT, .most = 100};

	for (size_t i = 0; i < ARRAY_LEN(results); i++) {
		bot_server_result(server, "getFile", results[i]);
		assert_int_equal(fetch(t, &l, "ref-1", -1), -1);
		assert_int_equal(l.err.kind, ERROR_REFUSED);
	}
	assert_int_equal(bot_server_calls(server, "file"), 0);
}

static void check_sizes(struct task *t)
{
	struct load l = {.bytes = BUF_INIT, .most = 4};

	/* Known before anything is asked. */
	assert_int_equal(fetch(t, &l, "ref-1", TELEGRAM_DOWNLOAD_MAX + 1), -1);
	assert_int_equal(l.err.kind, ERROR_REFUSED);
	assert_int_equal(bot_server_calls(server, "getFile"), 0);
	/* Known before it is loaded. */
	bot_server_result(server, "getFile", FOUND);
	assert_int_equal(fetch(t, &l, "ref-1", -1), -1);
	assert_int_equal(l.err.kind, ERROR_REFUSED);
	assert_int_equal(bot_server_calls(server, "file"), 0);
	/* Larger than it was said to be. */
	bot_server_result(server, "getFile", "{\"file_id\":\"f1\",\"file_size\":3,\"file_path\":\"a\"}");
	answer_file(200, "more than that");
	assert_int_equal(fetch(t, &l, "ref-1", -1), -1);
	assert_int_not_equal(l.err.kind, ERROR_NETWORK);
	buf_clear(&l.bytes);
}

/* --- uploads */

static struct outbound *row_new(const char *name, const char *mime, const char *caption)
{
	struct outbound *row;
	struct address to;
	size_t count = 0;
	int fd = open(copy, O_WRONLY | O_TRUNC | O_CLOEXEC);

	assert_int_equal(write(fd, "the bytes", 9), 9);
	close(fd);
	assert_int_equal(address_set(&to, "main", "77", "", NULL), 0);
	row = outbound_new(&to, OUTBOUND_NOTIFICATION, caption);
	struct attachment *file = attachments_add(&row->file, &count, attachment_kind_of(mime));
	file->name = xstrdup(name);
	file->mime = xstrdup(mime);
	file->path = xstrdup(copy);
	file->size = 9;
	return row;
}

static void send_file(struct task *t, const char *name, const char *mime, const char *caption)
{
	struct outbound *row = row_new(name, mime, caption);

	error_clear(&the_double.why);
	assert_int_equal(telegram_ops.admit(t, &the_double.ch, row, NULL), 0);
	double_send(t, row);
	outbound_free(row);
}

static void expect_field(const char *method, size_t n, const char *part)
{
	char *body = bot_server_body(server, method, n);

	if (!strstr(body, part))
		fail_msg("%s %zu lacks %s:\n%s", method, n, part, body);
	free(body);
}

static void expect_no_field(const char *method, size_t n, const char *part)
{
	char *body = bot_server_body(server, method, n);

	assert_null(strstr(body, part));
	free(body);
}

static void check_upload(struct task *t)
{
	bot_server_result(server, "sendDocument", "{\"message_id\":55}");
	send_file(t, "a \"b\".txt", "text/plain", "see **this**");
	assert_int_equal(the_double.sent, 1);
	assert_string_equal(the_double.platform_id, "55");
	expect_field("sendDocument", 0, "name=\"document\"; filename=\"a %22b%22.txt\"");
	expect_field("sendDocument", 0, "Content-Type: text/plain");
	expect_field("sendDocument", 0, "the bytes");
	expect_field("sendDocument", 0, "name=\"chat_id\"\r\n\r\n77\r\n");
	expect_field("sendDocument", 0, "name=\"caption\"\r\n\r\nsee <b>this</b>\r\n");
	expect_field("sendDocument", 0, "name=\"parse_mode\"\r\n\r\nHTML\r\n");
	expect_no_field("sendDocument", 0, "link_preview");
}

static void check_kinds(struct task *t)
{
	static const struct {
		const char *mime, *method;
	} kinds[] = {
	    {"image/png", "sendPhoto"},
	    {"image/gif", "sendAnimation"},
	    {"video/mp4", "sendVideo"},
	    {"audio/mpeg", "sendAudio"},
	    {"audio/ogg", "sendVoice"},
	    {"application/pdf", "sendDocument"},
	    {"image/svg+xml", "sendDocument"},
	};
	struct attachment large = {.mime = xstrdup("image/png"), .size = 11 << 20};

	for (size_t i = 0; i < ARRAY_LEN(kinds); i++) {
		size_t before = bot_server_calls(server, kinds[i].method);
		bot_server_result(server, kinds[i].method, "{\"message_id\":55}");
		send_file(t, "a", kinds[i].mime, "");
		assert_int_equal(bot_server_calls(server, kinds[i].method), before + 1);
		expect_no_field(kinds[i].method, before, "caption");
	}
	assert_int_equal(the_double.failed, 0);
	assert_string_equal(telegram_upload_choose(&large, false)->method, "sendDocument");
	attachment_clear(&large);
}

static void check_fallbacks(struct task *t)
{
	bot_server_refuse(server, "sendPhoto", 400, "Bad Request: IMAGE_PROCESS_FAILED", 0);
	bot_server_result(server, "sendDocument", "{\"message_id\":56}");
	send_file(t, "a.png", "image/png", "cap");
	assert_string_equal(the_double.platform_id, "56");
	expect_field("sendDocument", 0, "cap");
	/* Once. */
	bot_server_refuse(server, "sendPhoto", 400, "Bad Request: IMAGE_PROCESS_FAILED", 0);
	bot_server_refuse(server, "sendDocument", 400, "Bad Request: something else", 0);
	send_file(t, "a.png", "image/png", "cap");
	assert_int_equal(the_double.failed, 1);
	assert_int_equal(the_double.why.kind, ERROR_REFUSED);
	assert_false(the_double.why.uncertain);
	assert_int_equal(bot_server_calls(server, "sendPhoto"), 2);
}

static void check_long_caption(struct task *t)
{
	bot_server_refuse(server, "sendDocument", 400, "Bad Request: message caption is too long", 0);
	bot_server_result(server, "sendDocument", "{\"message_id\":57}");
	send_file(t, "a.txt", "text/plain", "a long story");
	assert_int_equal(the_double.sent, 1);
	assert_string_equal(the_double.platform_id, "57");
	expect_no_field("sendDocument", 1, "a long story");
	expect_field("sendMessage", 0, "a long story");
}

/* The file, the file without its caption and the text behind it: three messages, which are all that a chat
 * takes at once. */
static void check_budget(struct task *t)
{
	uint64_t began;

	telegram_stage_stop(t);
	settings.rate_private = 1;
	telegram_stage_start(t);
	began = clock_now();
	bot_server_refuse(server, "sendDocument", 400, "Bad Request: message caption is too long", 0);
	bot_server_result(server, "sendDocument", "{\"message_id\":57}");
	send_file(t, "a.txt", "text/plain", "a long story");
	assert_int_equal(bot_server_calls(server, "sendDocument"), 2);
	assert_int_equal(bot_server_calls(server, "sendMessage"), 1);
	bot_server_result(server, "sendDocument", "{\"message_id\":58}");
	send_file(t, "b.txt", "text/plain", "");
	assert_int_equal(the_double.sent, 2);
	assert_true(bot_server_time(server, "sendDocument", 2) - began >= 1000);
}

static void check_doubt(struct task *t)
{
	bot_server_script(server, "sendDocument", &(struct bot_answer){.how = BOT_CUT});
	send_file(t, "a.txt", "text/plain", "");
	assert_true(the_double.why.uncertain);
	bot_server_script(server, "sendDocument", &(struct bot_answer){.how = BOT_HANG});
	send_file(t, "a.txt", "text/plain", "");
	assert_true(the_double.why.uncertain);
	assert_int_equal(bot_server_calls(server, "sendDocument"), 2);
	bot_server_refuse(server, "sendDocument", 413, "Request Entity Too Large", 0);
	send_file(t, "a.txt", "text/plain", "");
	assert_int_equal(the_double.why.kind, ERROR_REFUSED);
	assert_false(the_double.why.uncertain);
	bot_server_refuse(server, "sendDocument", 429, "Too Many Requests: retry after 1", 1);
	send_file(t, "a.txt", "text/plain", "");
	assert_int_equal(the_double.why.kind, ERROR_LIMITED);
	assert_int_equal(the_double.why.retry_ms, 1500);
}

static void check_lost_copy(struct task *t)
{
	struct outbound *row = row_new("a.txt", "text/plain", "");

	row->file->size = 10;
	double_send(t, row);
	assert_int_equal(the_double.failed, 1);
	assert_int_equal(the_double.why.kind, ERROR_REFUSED);
	assert_int_equal(bot_server_calls(server, "sendDocument"), 0);
	outbound_free(row);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    STARTED_TEST(a_file_is_found_and_loaded, check_fetch),
	    STARTED_TEST(a_failed_download_says_whether_it_may_work_later, check_fetch_failures),
	    STARTED_TEST(a_file_that_is_not_found_says_why, check_find_failures),
	    STARTED_TEST(a_path_that_leads_elsewhere_is_not_followed, check_bad_paths),
	    STARTED_TEST(a_size_is_checked_before_and_while, check_sizes),
	    STARTED_TEST(a_file_goes_as_a_form, check_upload),
	    STARTED_TEST(each_kind_has_its_method, check_kinds),
	    STARTED_TEST(what_is_refused_as_a_picture_goes_as_a_document_once, check_fallbacks),
	    STARTED_TEST(a_caption_that_is_too_long_follows, check_long_caption),
	    STARTED_TEST(what_follows_a_file_counts_against_the_rate, check_budget),
	    STARTED_TEST(an_upload_in_doubt_is_not_repeated, check_doubt),
	    STARTED_TEST(a_copy_that_has_changed_is_not_sent, check_lost_copy),
	};

	int fd = mkostemp(copy, O_CLOEXEC), failed;

	if (fd < 0)
		return EXIT_FAILURE;
	close(fd);
	failed = telegram_stage_run(tests, NULL);
	unlink(copy);
	return failed;
}
