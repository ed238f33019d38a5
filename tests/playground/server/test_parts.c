#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "playground/server/fault.h"
#include "playground/server/form.h"
#include "playground/world/map.h"
#include "playground/server/request_log.h"

static void a_map_holds_what_was_put_in(void **state)
{
	static int values[1000];
	struct map m = {0};
	size_t count;
	void **all;

	(void)state;
	assert_null(map_get(&m, 1, 2));
	for (int i = 0; i < 1000; i++)
		map_put(&m, i % 10, -i, &values[i]);
	for (int i = 0; i < 1000; i++)
		assert_ptr_equal(map_get(&m, i % 10, -i), &values[i]);
	assert_null(map_get(&m, 3, 4));
	map_put(&m, 0, 0, &values[7]);
	assert_ptr_equal(map_get(&m, 0, 0), &values[7]);
	all = map_values(&m, &count);
	assert_int_equal(count, 1000);
	free(all);
	map_clear(&m);
	assert_null(map_get(&m, 1, -1));
}

static int order_fault(struct faults *faults, const char *json, struct error *err)
{
	struct json_object *in = json_parse_object(json, strlen(json), NULL);
	enum fault_kind kind;
	int64_t id = fault_add(faults, in, &kind, err);

	json_object_put(in);
	return id > 0 ? 0 : -1;
}

static void a_fault_strikes_as_often_as_it_was_ordered(void **state)
{
	struct faults faults;
	struct error err;
	struct fault f;

	(void)state;
	faults_init(&faults);
	assert_int_equal(order_fault(&faults,
			     "{\"platform\":\"telegram\",\"method\":\"sendmessage\",\"kind\":\"status\","
			     "\"status\":502,\"count\":2}",
			     &err),
	    0);
	assert_int_equal(
	    order_fault(&faults, "{\"platform\":\"model\",\"kind\":\"cut\",\"at_byte\":7}", &err), 0);
	assert_int_equal(fault_take(&faults, "telegram", "getMe", &f), FAULT_NONE);
	assert_int_equal(fault_take(&faults, "telegram", "sendMessage", &f), FAULT_STATUS);
	assert_int_equal(f.status, 502);
	assert_int_equal(fault_take(&faults, "model", "models", &f), FAULT_CUT);
	assert_int_equal(f.at_byte, 7);
	assert_int_equal(fault_take(&faults, "model", "models", &f), FAULT_NONE);
	assert_int_equal(fault_take(&faults, "telegram", "sendMessage", &f), FAULT_STATUS);
	assert_int_equal(fault_take(&faults, "telegram", "sendMessage", &f), FAULT_NONE);
	assert_true(list_is_empty(&faults.list));
	assert_int_equal(order_fault(&faults, "{\"platform\":\"model\",\"kind\":\"explode\"}", &err), -1);
	assert_int_equal(
	    order_fault(&faults, "{\"platform\":\"model\",\"kind\":\"status\",\"status\":700}", &err), -1);
	assert_int_equal(
	    order_fault(&faults, "{\"platform\":\"model\",\"kind\":\"close\",\"count\":0}", &err), -1);
	faults_drop(&faults, 0, NULL, NULL);
}

static void add_record(struct record_log *log, const char *method, size_t body)
{
	struct record r = {.platform = "x",
	    .method = xstrdup(method),
	    .body = xcalloc(1, body + 3),
	    .problems = xstrdup("")};

	memset(r.body, 'x', body + 2);
	r.body[0] = r.body[body + 1] = '"';
	record_log_add(log, &r);
}

static size_t count_records(const struct record_log *log, uint64_t after, const char *method, int64_t *last)
{
	struct buf out = BUF_INIT;
	struct json_object *o, *array;
	size_t n;

	record_log_write(log, &out, after, method);
	o = json_parse_object(out.data, out.len, NULL);
	assert_non_null(o);
	array = json_get_array(o, "requests");
	n = json_object_array_length(array);
	*last = n > 0 ? json_get_int(json_object_array_get_idx(array, n - 1), "n", 0) : 0;
	json_object_put(o);
	buf_clear(&out);
	return n;
}

static void the_record_keeps_the_newest(void **state)
{
	struct record_log log = {0};
	int64_t last;

	(void)state;
	for (int i = 0; i < RECORD_MAX + 10; i++)
		add_record(&log, i % 2 == 0 ? "even" : "odd", 4);
	assert_int_equal(count_records(&log, 0, NULL, &last), RECORD_MAX);
	assert_int_equal(last, RECORD_MAX + 10);
	assert_int_equal(count_records(&log, RECORD_MAX + 8, NULL, &last), 2);
	assert_int_equal(count_records(&log, 0, "odd", &last), RECORD_MAX / 2);
	record_log_clear(&log);
	assert_int_equal(count_records(&log, 0, NULL, &last), 0);
}

static void the_record_is_bounded_in_bytes(void **state)
{
	struct record_log log = {0};
	int64_t last;

	(void)state;
	for (int i = 0; i < 80; i++)
		add_record(&log, "big", 1024 * 1024);
	assert_true(log.bytes <= RECORD_MAX_BYTES);
	assert_true(count_records(&log, 0, NULL, &last) >= 60);
	assert_int_equal(last, 80);
	record_log_clear(&log);
}

static void forms_are_decoded(void **state)
{
	static const char form[] = "a=1+2&b=%C3%A4%26&c&a2=x%3Dy&";
	struct json_object *o = json_object_new_object();

	(void)state;
	assert_int_equal(form_read(o, form, strlen(form), NULL), 0);
	assert_string_equal(json_get_str(o, "a"), "1 2");
	assert_string_equal(json_get_str(o, "b"), "ä&");
	assert_string_equal(json_get_str(o, "c"), "");
	assert_string_equal(json_get_str(o, "a2"), "x=y");
	assert_int_equal(form_read(o, "a=%zz", 5, NULL), -1);
	assert_int_equal(form_read(o, "a=%00", 5, NULL), -1);
	assert_int_equal(form_read(o, "a=\0b", 4, NULL), -1);
	assert_int_equal(form_read(o, "\0", 1, NULL), -1);
	assert_int_equal(form_read(o, "a=%ff", 5, NULL), -1);
	json_object_put(o);
}

static void multipart_bodies_are_read(void **state)
{
	static const char body[] =
	    "--x\r\nContent-Disposition: form-data; name=\"text\"\r\n\r\nhi\r\nthere\r\n--x\r\n"
	    "Content-Disposition: form-data; name=\"doc\"; filename=\"a.txt\"\r\n"
	    "Content-Type: text/plain\r\n\r\nabc\r\n--x\r\n"
	    "content-disposition:form-data;name=bare;filename=b.txt\r\n"
	    "content-type:text/plain\r\n\r\nde\r\n--x--\r\n";
	struct json_object *o = json_object_new_object();
	char *text;

	(void)state;
	assert_int_equal(
	    form_read_multipart(o, "multipart/form-data; boundary=x", body, sizeof(body) - 1, NULL), 0);
	assert_string_equal(json_get_str(o, "text"), "hi\r\nthere");
	assert_string_equal(json_get_str(json_get_object(o, "doc"), "filename"), "a.txt");
	assert_int_equal(json_get_int(json_get_object(o, "doc"), "bytes", 0), 3);
	assert_memory_equal(body + json_get_int(json_get_object(o, "doc"), "at", 0), "abc", 3);
	assert_string_equal(json_get_str(json_get_object(o, "bare"), "filename"), "b.txt");
	assert_memory_equal(body + json_get_int(json_get_object(o, "bare"), "at", 0), "de", 2);
	for (size_t cut = 0; cut < sizeof(body) - 5;
	     cut++) /* what is cut off anywhere is an error, and is not read beyond */
	{
		char *part = xmemdup(body, cut + 1);

		assert_int_equal(
		    form_read_multipart(o, "multipart/form-data; boundary=\"x\"", part, cut, NULL), -1);
		free(part);
	}
	assert_int_equal(form_read_multipart(o, "multipart/form-data", body, sizeof(body) - 1, NULL), -1);
	json_object_put(o);
	o = json_object_new_object();
	text = xasprintf("a preamble\r\n%s", body);
	assert_int_equal(
	    form_read_multipart(o, "multipart/form-data; boundary=x", text, strlen(text), NULL), 0);
	assert_string_equal(json_get_str(o, "text"), "hi\r\nthere");
	free(text);
	json_object_put(o);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_map_holds_what_was_put_in),
	    cmocka_unit_test(a_fault_strikes_as_often_as_it_was_ordered),
	    cmocka_unit_test(the_record_keeps_the_newest),
	    cmocka_unit_test(the_record_is_bounded_in_bytes),
	    cmocka_unit_test(forms_are_decoded),
	    cmocka_unit_test(multipart_bodies_are_read),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
