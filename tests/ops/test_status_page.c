/* The status as a page: nothing that others wrote is more than text there. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/buf.h"
#include "base/text/html.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "ops/status_page.h"

#define HOSTILE "</td><script>alert(1)</script><img src=x onerror=\"go()\">' & \x01 \xe2\x80\xae"

static struct json_object *status_with(const char *text)
{
	struct json_object *status = json_object_new_object(), *channels = json_object_new_array(),
			   *c = json_object_new_object();
	struct json_object *model = json_object_new_object(), *notices = json_object_new_array();

	json_set_bool(status, "ready", true);
	json_set_str(status, "version", text);
	json_set_str(status, "config_errors", text);
	json_set_int(status, "uptime_ms", 65000);
	json_set_int(status, "turns_running", 42);
	json_set_str(c, "name", text);
	json_set_str(c, "type", text);
	json_set_str(c, "status", text);
	json_set_str(c, "text", text);
	json_set_str(c, "warning", text);
	json_object_array_add(channels, c);
	json_set(status, "channels", channels);
	json_set_bool(model, "down", true);
	json_set_str(model, "text", text);
	json_set(status, "model", model);
	json_object_array_add(notices, json_object_new_string(text));
	json_set(status, "notices", notices);
	return status;
}

static struct json_object *list_with(const char *text)
{
	static const char *const keys[] = {"what", "name", "text", "chat"};
	struct json_object *list = json_object_new_array(), *o = json_object_new_object();

	for (size_t i = 0; i < ARRAY_LEN(keys); i++)
		json_set_str(o, keys[i], text);
	json_object_array_add(list, o);
	return list;
}

static size_t count_of(const char *text, const char *part)
{
	size_t n = 0;

	for (; (text = strstr(text, part)); text++)
		n++;
	return n;
}

/* All that is markup is ours: as much of it as with harmless words. */
static void hostile_text_is_text(void **state)
{
	static const char *const marks[] = {"<", ">", "\"", "'", "&"};
	size_t counts[2][ARRAY_LEN(marks)];

	(void)state;
	for (int i = 0; i < 2; i++) {
		const char *text = i ? HOSTILE : "harmless";
		struct status_page p = {.status = status_with(text),
		    .reasons = list_with(text),
		    .dead = list_with(text),
		    .warnings = text};
		struct buf out = BUF_INIT;

		status_page_write(&out, &p);
		assert_null(strstr(out.data, "<script"));
		assert_null(strstr(out.data, "<img"));
		for (size_t k = 0; k < ARRAY_LEN(marks); k++)
			counts[i][k] = count_of(out.data, marks[k]);
		json_object_put(p.status);
		json_object_put(p.reasons);
		json_object_put(p.dead);
		buf_clear(&out);
	}
	for (size_t k = 0; k + 1 < ARRAY_LEN(marks); k++)
		assert_int_equal(counts[0][k], counts[1][k]);
	assert_int_equal(counts[0][4], 0);
}

static void it_says_what_is_wrong_and_how_much_there_is_to_do(void **state)
{
	struct status_page p = {
	    .status = status_with("w"), .reasons = list_with("r"), .now_ms = 5000, .still = true};
	struct buf out = BUF_INIT;

	(void)state;
	status_page_write(&out, &p);
	assert_non_null(strstr(out.data, "<title>Myna is not ready</title>"));
	assert_non_null(strstr(out.data, "<li><strong>r</strong> <bdi>r</bdi>: <bdi>r</bdi></li>"));
	assert_non_null(strstr(out.data, "Turns that run</th><td class=\"number\">42</td>"));
	assert_non_null(strstr(out.data, "None since the start."));
	assert_null(strstr(out.data, "Dead letters"));
	assert_null(strstr(out.data, "Keep it still"));
	json_object_put(p.status);
	json_object_put(p.reasons);
	buf_clear(&out);
}

static void text_is_escaped_for_pages(void **state)
{
	struct buf out = BUF_INIT;

	(void)state;
	html_add(&out, "a<b>&\"'\t\n\x02é");
	html_add(&out, NULL);
	assert_string_equal(out.data, "a&lt;b&gt;&amp;&quot;&#39;\t\n\xef\xbf\xbdé");
	buf_clear(&out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(hostile_text_is_text),
	    cmocka_unit_test(it_says_what_is_wrong_and_how_much_there_is_to_do),
	    cmocka_unit_test(text_is_escaped_for_pages),
	};

	return cmocka_run_group_tests_name("status_page", tests, NULL, NULL);
}
