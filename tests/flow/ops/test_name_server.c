/* The name servers take every question and never answer. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/json/json.h"
#include "base/mem.h"
#include "flow/flow.h"
#include "flow/weather.h"

#define TOKEN                                                                                             \
	"token = \"4242424242:AAEflowTestTokenOfTheFlowTests0123456\"; allow = [\"77\"]; poll_timeout = " \
	"\"2 s\";"

static struct flow f;
static struct weather *weather;

/* One channel works; two others, and the model, have names that nobody resolves. */
static void write_config(void)
{
	char *path = xasprintf("%s/myna.conf", f.dir);
	FILE *out = fopen(path, "w");

	assert_non_null(out);
	fprintf(out,
	    "state = \"%s/state\"; log_level = \"debug\";\n"
	    "channels: {\n"
	    "  telegram: { type = \"telegram\"; " TOKEN " api_base = \"%s/telegram\"; };\n"
	    "  lost: { type = \"telegram\"; token = \"4242424243:AAEflowTestTokenOfTheFlowTests0123456\"; "
	    "allow = [\"77\"];\n"
	    "    api_base = \"https://one.invalid\"; };\n"
	    "  gone: { type = \"telegram\"; token = \"4242424244:AAEflowTestTokenOfTheFlowTests0123456\"; "
	    "allow = [\"77\"];\n"
	    "    api_base = \"https://two.invalid\"; };\n"
	    "};\n"
	    "llm: { default = \"far\"; fallbacks = [\"near\"]; providers: {\n"
	    "  far: { api = \"openai-chat\"; base_url = \"https://three.invalid/v1\"; key = "
	    "\"a-key-for-tests\"; model = \"m\"; };\n"
	    "  near: { api = \"openai-chat\"; base_url = \"https://four.invalid/v1\"; key = "
	    "\"a-key-for-tests\"; model = \"m\"; };\n"
	    "}; };\n",
	    f.dir, f.url);
	fclose(out);
	chmod(path, 0600);
	free(path);
}

static int begin(void **state)
{
	(void)state;
	flow_start(&f);
	weather = weather_new(&f);
	weather->names_hang = 1;
	write_config();
	weather_gateway(&f, false);
	return 0;
}

static int end(void **state)
{
	(void)state;
	weather->names_hang = 0;
	flow_stop(&f);
	weather_free(weather);
	return 0;
}

static void what_needs_no_name_goes_on(void **state)
{
	uint64_t slowest = 0, calls = 0, sum = 0;

	(void)state;
	flow_until(&f, weather->lookups >= 2);
	flow_say(&f, "77", "77", "hello", "private");
	flow_say(&f, "77", "77", "/whoami", "private");
	flow_expect(&f, "77", 0, "You are");
	/* The loop is free: the control socket answers at once. */
	for (uint64_t until = flow_now_ms() + 3000; flow_now_ms() < until; usleep(5000)) {
		uint64_t began = flow_now_ms();
		struct json_object *status = flow_status(&f);
		uint64_t took = flow_now_ms() - began;
		assert_non_null(status);
		json_object_put(status);
		slowest = took > slowest ? took : slowest;
		sum += took;
		calls++;
	}
	print_message(
	    "%llu calls of the control socket: %llu ms on average, %llu ms at most; %d lookups hang\n",
	    (unsigned long long)calls, (unsigned long long)(sum / calls), (unsigned long long)slowest,
	    weather->lookups);
	assert_true(sum / calls < 1000);
	flow_say(&f, "77", "77", "/stop", "private");
	flow_expect(&f, "77", 1, "Stopped");
	uint64_t began = flow_now_ms();
	assert_int_equal(flow_gateway_end(&f, SIGTERM), 0);
	assert_true(flow_now_ms() - began < 30000);
}

static void files_are_read_while_names_hang(void **state)
{
	char *out;

	(void)state;
	flow_until(&f, weather->lookups >= 2);
	flow_say(&f, "77", "77", "hello", "private");
	/* File tools run on the threads that lookups use. */
	assert_int_equal(
	    flow_myna(&f, &out, "tool", "run", "read_file", "{\"path\":\"missing.txt\"}", NULL), 1);
	assert_non_null(strstr(out, "File not found"));
	free(out);
}

#define FLOW(test) cmocka_unit_test_setup_teardown(test, begin, end)

int main(void)
{
	const struct CMUnitTest tests[] = {
	    FLOW(what_needs_no_name_goes_on),
	    FLOW(files_are_read_while_names_hang),
	};

	cmocka_set_test_filter(getenv("FLOW_ONLY"));
	return cmocka_run_group_tests(tests, NULL, NULL);
}
