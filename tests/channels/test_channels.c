#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/buf.h"
#include "base/config/config.h"
#include "base/error.h"
#include "base/mem.h"
#include "bus/channel.h"
#include "channels/channels.h"
#include "channels/telegram/settings.h"
#include "channels/telegram/telegram.h"

static void types_are_sorted_and_found(void **state)
{
	(void)state;
	for (size_t i = 0; channel_types[i]; i++) {
		assert_ptr_equal(channels_find(channel_types[i]->type), channel_types[i]);
		if (i > 0)
			assert_true(strcmp(channel_types[i - 1]->type, channel_types[i]->type) < 0);
	}
	assert_null(channels_find("telegra"));
	assert_null(channels_find(""));
}

static void every_adapter_can_do_what_the_core_asks(void **state)
{
	(void)state;
	for (size_t i = 0; channel_types[i]; i++) {
		const struct channel_ops *ops = channel_types[i];

		assert_true(ops->section && ops->start && ops->stop);
		assert_true(ops->split && ops->send);
		assert_int_equal((ops->caps & CHANNEL_TYPING) != 0, ops->typing != NULL);
	}
}

static bool has_key(const struct config_section *section, const char *name)
{
	for (size_t i = 0; i < section->key_count; i++)
		if (strcmp(section->keys[i].name, name) == 0)
			return true;
	return false;
}

static void what_is_asked_for_a_set_up_is_a_setting(void **state)
{
	(void)state;
	for (size_t i = 0; channel_types[i]; i++) {
		const struct channel_question *row = channel_types[i]->setup;
		size_t people = 0;

		if (!row)
			continue;
		for (; row->option; row++) {
			people += row->kind == CHANNEL_ASK_PEOPLE;
			assert_true(
			    row->kind == CHANNEL_ASK_PEOPLE || has_key(channel_types[i]->section, row->key));
			assert_true(row->kind == CHANNEL_ASK_URL || row->text);
		}
		assert_int_equal(people, 1);
	}
}

static struct config *read_settings(const char *text, struct telegram_settings *s)
{
	struct config *cfg = config_parse("test.conf", text, NULL);

	assert_non_null(cfg);
	config_read(cfg, "channels.main", &telegram_section, s);
	return cfg;
}

static void telegram_has_its_defaults(void **state)
{
	struct telegram_settings s = {0};
	struct config *cfg = read_settings("channels: { main: { token = \"123456:ABC-def_0\"; }; };", &s);

	(void)state;
	assert_int_equal(config_error_count(cfg), 0);
	assert_string_equal(s.token, "123456:ABC-def_0");
	assert_string_equal(s.api_base, "https://api.telegram.org");
	assert_int_equal(s.poll_timeout_ms, 30000);
	assert_int_equal(s.rate_private, 1);
	assert_int_equal(s.rate_group, 20);
	assert_int_equal(s.rate_global, 30);
	assert_int_equal(telegram_ops.check(&s, NULL), 0);
	config_settings_clear(telegram_section.keys, telegram_section.key_count, &s);
	config_free(cfg);
}

static void wrong_settings_are_reported(void **state)
{
	static const char *const wrong[] = {
	    "",
	    "token = \"1:a\"; poll_timeout = \"51 s\";",
	    "token = \"1:a\"; poll_timeout = \"0 s\";",
	    "token = \"1:a\"; rate_group = -1;",
	    "token = \"1:a\"; tokn = \"x\";",
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(wrong); i++) {
		char *text = xasprintf("channels: { main: { %s }; };", wrong[i]);
		struct telegram_settings s = {0};
		struct config *cfg = read_settings(text, &s);

		assert_true(config_error_count(cfg) > 0);
		config_settings_clear(telegram_section.keys, telegram_section.key_count, &s);
		config_free(cfg);
		free(text);
	}
}

static void a_token_or_base_that_cannot_be_used_is_refused(void **state)
{
	static const char *const tokens[] = {
	    NULL, "", "abc", "123", "123:", ":abc", "123:a/../b", "123:a b", "1234567890123456:a"};
	static const char *const bases[] = {"http://example.org", "ftp://127.0.0.1", "", "api.telegram.org"};
	struct telegram_settings s = {
	    .token = "1:a", .api_base = (char *)(uintptr_t) "http://127.0.0.1:8081"};
	struct error err = {0};

	(void)state;
	assert_int_equal(telegram_ops.check(&s, &err), 0);
	for (size_t i = 0; i < ARRAY_LEN(bases); i++) {
		s.api_base = (char *)(uintptr_t)bases[i];
		assert_int_equal(telegram_ops.check(&s, &err), -1);
		assert_non_null(strstr(err.text, "api_base"));
	}
	s.api_base = (char *)(uintptr_t) "https://api.telegram.org";
	for (size_t i = 0; i < ARRAY_LEN(tokens); i++) {
		s.token = tokens[i];
		assert_int_equal(telegram_ops.check(&s, &err), -1);
		assert_non_null(strstr(err.text, "token"));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(types_are_sorted_and_found),
	    cmocka_unit_test(every_adapter_can_do_what_the_core_asks),
	    cmocka_unit_test(what_is_asked_for_a_set_up_is_a_setting),
	    cmocka_unit_test(telegram_has_its_defaults),
	    cmocka_unit_test(wrong_settings_are_reported),
	    cmocka_unit_test(a_token_or_base_that_cannot_be_used_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
