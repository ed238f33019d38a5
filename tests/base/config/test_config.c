/* Reading good configurations, files and includes, and that nothing makes the reader stumble. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <fcntl.h>
#include <locale.h>
#include <stdint.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/json/json.h"
#include "base/secret/secret.h"
#include "tests/base/config/config_sample.h"

static const char good[] =
    "# Myna\n"
    "state = \"/var/lib/myna\";\n"
    "log = \"debug\"; color = TRUE;\n"
    "\n"
    "channels: {\n"
    "  main: {\n"
    "    type = \"telegram\";\n"
    "    token = \"123456:abcdefghijklmnop\"; // 5000000000\n"
    "    allow = [ \"123456789012\", \"*\" ];\n"
    "    admins = (\"77\");\n"
    "    group = \"all\";\n"
    "    poll = \"2 min\";\n"
    "    idle = 90;\n"
    "    file_size = \"64KiB\";\n"
    "    port = 0x1F90;\n"
    "    offset = 5000000000L;\n"
    "    typing = false;\n"
    "    greeting = \"Good \\\"day\\\",\\n\"\n"
    "               \"caf\\xc3\\xa9 \\\\o/\";\n"
    "  };\n"
    "  work = { type = \"slack\", token = \"xoxb-0000000000\" };\n"
    "};\n"
    "/* models */\n"
    "llm: { providers: {\n"
    "  here: { api = \"openai-chat\"; base_url = \"http://127.0.0.1:8090/v1\"; key = \"literal-key\";\n"
    "    model = \"m\"; };\n"
    "}; };\n"
    "targets: { ops = [ \"slack:C024\", \"telegram:-100123\" ]; none = []; };\n";

static char folder[64];

static int make_folder(void **state)
{
	(void)state;
	str_copy(folder, sizeof(folder), "/tmp/myna-config-XXXXXX");
	return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
	(void)state;
	secret_forget_all();
	return rmdir(folder);
}

static char *file_in_folder(const char *name)
{
	return xasprintf("%s/%s", folder, name);
}

/* The path is the caller's to free. */
static char *write_file(const char *name, const void *data, size_t len, mode_t mode)
{
	char *path = file_in_folder(name);
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, data, len), (ssize_t)len);
	assert_int_equal(fchmod(fd, mode), 0);
	close(fd);
	return path;
}

static char *write_text(const char *name, const char *text)
{
	return write_file(name, text, strlen(text), 0600);
}

static void remove_file(char *path)
{
	unlink(path);
	free(path);
}

/* Loads what must not load: the error names the file, and the line, and says. */
static void assert_refused(const char *path, unsigned line, const char *says)
{
	struct error err = {0};
	char *where = xasprintf("%s:%u: ", path, line);
	struct config *cfg = config_load(path, &err);
	if (cfg || strncmp(err.text, where, strlen(where)) != 0 || !strstr(err.text, says))
		fail_msg("expected %s ... %s\nbut got %s", where, says, cfg ? "no error" : err.text);
	assert_int_equal(err.kind, ERROR_OURS);
	free(where);
}

static void assert_no_errors(struct config *cfg)
{
	struct buf errors = BUF_INIT;
	config_errors(cfg, &errors);
	assert_string_equal(errors.data, "");
	assert_int_equal(config_error_count(cfg), 0);
	buf_clear(&errors);
}

static void every_type_is_read_into_its_field(void **state)
{
	(void)state;
	struct sample_top top = {0};
	struct sample_channel ch = {0};
	struct config *cfg = config_parse("good.conf", good, NULL);

	config_read(cfg, "", &sample_top, &top);
	config_read(cfg, "channels.main", &sample_channel, &ch);
	assert_no_errors(cfg);
	config_free(cfg);
	assert_string_equal(top.state, "/var/lib/myna");
	assert_null(top.control);
	assert_int_equal(top.log, 3);
	assert_true(top.color);
	assert_int_equal(ch.type, 0);
	assert_int_equal(ch.group, 1);
	assert_string_equal(ch.token, "123456:abcdefghijklmnop");
	assert_string_equal(ch.greeting, "Good \"day\",\ncaf\xc3\xa9 \\o/");
	assert_int_equal(ch.allow.count, 2);
	assert_true(config_strings_have(&ch.allow, "123456789012"));
	assert_false(config_strings_have(&ch.allow, "12345678901"));
	assert_int_equal(ch.admins.count, 1);
	assert_string_equal(ch.admins.items[0], "77");
	assert_int_equal(ch.poll, 120000);
	assert_int_equal(ch.idle, 90000);
	assert_int_equal(ch.file_size, 65536);
	assert_int_equal(ch.port, 8080);
	assert_int_equal(ch.offset, 5000000000);
	assert_false(ch.typing);
	config_settings_clear(sample_top_keys, ARRAY_LEN(sample_top_keys), &top);
	config_settings_clear(sample_channel_keys, ARRAY_LEN(sample_channel_keys), &ch);
	assert_null(top.state);
	assert_null(ch.allow.items);
}

static void what_is_absent_or_wrong_has_its_default(void **state)
{
	(void)state;
	struct sample_channel ch = {0};
	const char *text = "channels: { a: { type = \"slack\"; poll = 0; port = true; }; };";
	struct config *cfg = config_parse("t.conf", text, NULL);

	config_read(cfg, "channels.a", &sample_channel, &ch);
	assert_int_equal(config_error_count(cfg), 2);
	assert_int_equal(ch.type, 1);
	assert_null(ch.token);
	assert_string_equal(ch.greeting, "Hello.");
	assert_int_equal(ch.allow.count, 0);
	assert_int_equal(ch.admins.count, 2);
	assert_string_equal(ch.admins.items[0], "root");
	assert_string_equal(ch.admins.items[1], "wheel");
	assert_int_equal(ch.poll, 30000);
	assert_int_equal(ch.idle, 60000);
	assert_int_equal(ch.file_size, 20 << 20);
	assert_int_equal(ch.port, 8080);
	assert_int_equal(ch.offset, -1);
	assert_true(ch.typing);
	config_settings_clear(sample_channel_keys, ARRAY_LEN(sample_channel_keys), &ch);
	config_read(cfg, "channels.b", &sample_channel, &ch);
	assert_string_equal(ch.greeting, "Hello.");
	config_settings_clear(sample_channel_keys, ARRAY_LEN(sample_channel_keys), &ch);
	config_free(cfg);
}

static void names_strings_and_lists_are_found_by_path(void **state)
{
	(void)state;
	const char **names;
	struct config_strings list = {0};
	struct config *cfg = config_parse("good.conf", good, NULL);

	assert_string_equal(config_file(cfg, 0), "good.conf");
	assert_int_equal(config_names(cfg, "channels", &names), 2);
	assert_string_equal(names[0], "main");
	assert_string_equal(names[1], "work");
	free(names);
	assert_int_equal(config_names(cfg, "nothing", &names), 0);
	assert_null(names);
	assert_true(config_has(cfg, "channels.main.allow[1]"));
	assert_false(config_has(cfg, "channels.main.allow[2]"));
	assert_false(config_has(cfg, "channels.mai"));
	assert_false(config_has(cfg, "channels.main.type.x"));
	assert_string_equal(config_string(cfg, "channels.work.type"), "slack");
	assert_null(config_string(cfg, "channels.main.port"));
	assert_null(config_string(cfg, "channels.main.nothing"));
	assert_true(config_read_strings(cfg, "targets.ops", &list));
	assert_int_equal(list.count, 2);
	assert_string_equal(list.items[1], "telegram:-100123");
	config_strings_clear(&list);
	assert_true(config_read_strings(cfg, "targets.none", &list));
	assert_int_equal(list.count, 0);
	assert_false(config_read_strings(cfg, "targets.other", &list));
	assert_no_errors(cfg);
	assert_false(config_read_strings(cfg, "state", &list));
	assert_int_equal(config_error_count(cfg), 1);
	config_free(cfg);
}

static void empty_commented_and_windows_files_are_fine(void **state)
{
	(void)state;
	static const char *const texts[] = {
	    "", "# only this", "\xef\xbb\xbf\na = 1;\r\nb = 2;\r\n", "/* */", "a = 1 // end"};
	for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
		struct error err = {0};
		char *path = write_text("t.conf", texts[i]);
		struct config *cfg = config_load(path, &err);
		if (!cfg)
			fail_msg("%s", err.text);
		assert_int_equal(config_has(cfg, "a"), i == 2 || i == 4);
		config_free(cfg);
		remove_file(path);
	}
}

static void a_file_that_is_no_text_file_is_refused(void **state)
{
	(void)state;
	size_t large = 1024 * 1024;
	char *blanks = xmalloc(large + 1);
	memset(blanks, '\n', large + 1);
	char *path = file_in_folder("t.conf");

	assert_refused(path, 1, "No such file");
	assert_refused(folder, 1, "it is not a regular file");
	assert_int_equal(mkfifo(path, 0600), 0);
	assert_refused(path, 1, "it is not a regular file");
	unlink(path);
	free(write_file("t.conf", "a = 1;\nb = \"\0\";", 15, 0600));
	assert_refused(path, 2, "NUL byte");
	free(write_file("t.conf", "\n\n# \xc3\n", 6, 0600));
	assert_refused(path, 3, "not UTF-8");
	free(write_file("t.conf", blanks, large + 1, 0600));
	assert_refused(path, 1, "larger than 1 MiB");
	free(write_file("t.conf", blanks, large, 0600));
	struct config *cfg = config_load(path, NULL);
	assert_non_null(cfg);
	config_free(cfg);
	free(blanks);
	remove_file(path);
}

static void an_include_is_seen_from_its_file_and_keeps_its_lines(void **state)
{
	(void)state;
	char *sub = file_in_folder("sub");
	assert_int_equal(mkdir(sub, 0700), 0);
	char *top = write_text(
	    "t.conf", "state = \"/s\";\nchannels: {\n  @include \"sub/a.conf\"  zzz = 1;\n};\nyyyy = 2;");
	char *a = write_text("sub/a.conf", "# a\na: {\n@include \"b.conf\"\n port = 0;\n};");
	char *b = write_text("sub/b.conf", "\ntype = \"slack\";\nport_ = 1;\n");
	struct buf want = BUF_INIT, got = BUF_INIT;
	struct config *cfg = config_load(top, NULL);

	assert_non_null(cfg);
	assert_string_equal(config_file(cfg, 0), top);
	assert_string_equal(config_file(cfg, 1), a);
	assert_string_equal(config_file(cfg, 2), b);
	assert_null(config_file(cfg, 3));
	sample_read(cfg);
	config_errors(cfg, &got);
	buf_addf(&want, "%s:3: unknown key 'port_' in channels.a. Did you mean 'port'?\n", b);
	buf_addf(&want, "%s:4: channels.a.port: 0 is out of range. Write a value between 1 and 65535.\n", a);
	buf_addf(&want, "%s:3: channels.zzz: this must be a group. Write zzz: { ... };\n", top);
	buf_addf(&want, "%s:5: unknown key 'yyyy' at the top. Known here: ", top);
	buf_addstr(&want, "channels, color, control, llm, log, state, targets.\n");
	assert_string_equal(got.data, want.data);
	config_free(cfg);

	free(write_text("sub/b.conf", "type = \"slack\"\ntype = 5000000000;\n"));
	assert_int_equal(!config_load(top, NULL), 1);
	struct error err = {0};
	config_load(top, &err);
	buf_reset(&want);
	buf_addf(&want, "%s:2: 5000000000 does not fit into 32 bits.", b);
	assert_memory_equal(err.text, want.data, want.len);

	free(write_text("sub/b.conf", "type = \"slack\";\n\n type = \"x\";\n"));
	config_load(top, &err);
	buf_reset(&want);
	buf_addf(&want, "%s:3: 'type' stands twice", b);
	assert_memory_equal(err.text, want.data, want.len);

	unlink(b);
	config_load(top, &err);
	buf_reset(&want);
	buf_addf(&want, "%s:3: %s cannot be included: No such file", a, b);
	assert_memory_equal(err.text, want.data, want.len);
	buf_clear(&want);
	buf_clear(&got);
	free(b);
	remove_file(a);
	remove_file(top);
	rmdir(sub);
	free(sub);
}

static void includes_without_end_are_refused(void **state)
{
	(void)state;
	struct buf many = BUF_INIT;
	char *path = write_text("t.conf", "a = 1;\n@include \"t.conf\"\n");
	assert_refused(path, 2, "Does a file include itself?");
	char *empty = write_text("e.conf", "");
	for (int i = 0; i < 64; i++)
		buf_addstr(&many, "@include \"e.conf\"\n");
	free(write_text("t.conf", many.data));
	assert_refused(path, 64, "at most 64 files");
	char *half = xmalloc(600 * 1024);
	memset(half, '\n', 600 * 1024);
	free(write_file("e.conf", half, 600 * 1024, 0600));
	free(write_text("t.conf", "@include \"e.conf\"\n@include \"e.conf\"\n"));
	assert_refused(path, 2, "larger than 1 MiB");
	buf_clear(&many);
	free(half);
	remove_file(empty);
	remove_file(path);
}

/* The warnings for a file of that mode, or with the secret in an included file of that mode. */
static void read_warnings(const char *secret, mode_t mode, bool included, struct buf *out)
{
	char *line = xasprintf("\ntoken = \"%s\";\n", secret);
	char *text = xasprintf("state = \"/s\"; channels: { a: { type = \"slack\";%s}; };", line);
	char *part = write_file("part.conf", line, strlen(line), mode);
	char *path = included ?
	    write_text("t.conf",
		"state = \"/s\"; channels: { a: { type = \"slack\";\n@include \"part.conf\"\n}; };") :
	    write_file("t.conf", text, strlen(text), mode);
	struct config *cfg = config_load(path, NULL);
	buf_reset(out);
	sample_read(cfg);
	assert_no_errors(cfg);
	config_warnings(cfg, out);
	config_free(cfg);
	remove_file(path);
	remove_file(part);
	free(line);
	free(text);
}

static void a_literal_secret_that_others_can_read_is_a_warning(void **state)
{
	(void)state;
	struct buf got = BUF_INIT;
	char *key = write_text("key", "from-a-file\n");
	char *from_file = xasprintf("file:%s", key);

	read_warnings("xoxb-literal", 0640, false, &got);
	assert_non_null(
	    strstr(got.data, "t.conf:2: channels.a.token: this secret stands in a file that others can"));
	assert_non_null(strstr(got.data, " (mode 0640). Run chmod 600 "));
	assert_null(strstr(got.data, "literal"));
	read_warnings("xoxb-literal", 0604, true, &got);
	assert_non_null(strstr(got.data, "part.conf:2: channels.a.token: "));
	read_warnings("xoxb-literal", 0600, false, &got);
	assert_string_equal(got.data, "");
	read_warnings(from_file, 0644, false, &got);
	assert_string_equal(got.data, "");
	buf_clear(&got);
	free(from_file);
	remove_file(key);
}

static void a_secret_is_resolved_and_its_error_is_reported(void **state)
{
	(void)state;
	struct sample_channel ch = {0};
	struct buf got = BUF_INIT;
	char *key = write_file("key", "from-a-file\n", 12, 0600);
	char *text = xasprintf("channels: { a: { type = \"slack\";\n token = \"file:%s\"; }; };", key);
	struct config *cfg = config_parse("t.conf", text, NULL);

	config_read(cfg, "channels.a", &sample_channel, &ch);
	assert_no_errors(cfg);
	assert_string_equal(ch.token, "from-a-file");
	config_settings_clear(sample_channel_keys, ARRAY_LEN(sample_channel_keys), &ch);
	assert_int_equal(chmod(key, 0644), 0);
	config_read(cfg, "channels.a", &sample_channel, &ch);
	config_errors(cfg, &got);
	assert_int_equal(config_error_count(cfg), 1);
	assert_memory_equal(got.data, "t.conf:2: channels.a.token: ", 28);
	assert_null(ch.token);
	config_settings_clear(sample_channel_keys, ARRAY_LEN(sample_channel_keys), &ch);
	config_free(cfg);
	buf_clear(&got);
	free(text);
	remove_file(key);
}

static void the_locale_of_the_thread_stays(void **state)
{
	(void)state;
	locale_t before = uselocale((locale_t)0);
	struct config *cfg = config_parse("good.conf", good, NULL);
	sample_read(cfg);
	assert_ptr_equal(uselocale((locale_t)0), before);
	config_free(cfg);
}

static void every_key_is_described_for_scripts(void **state)
{
	(void)state;
	static const struct config_section *const all[] = {
	    &sample_top, &sample_channel, &sample_llm, &sample_provider};
	struct json_object *list = config_describe(all, ARRAY_LEN(all));
	struct buf out = BUF_INIT;
	size_t keys = 0;

	for (size_t s = 0; s < ARRAY_LEN(all); s++)
		keys += all[s]->key_count;
	assert_int_equal(json_object_array_length(list), keys);
	json_write(&out, list);
	static const char *const rows[] = {
	    "{\"name\":\"state\",\"type\":\"string\",\"default\":null,\"required\":true,\"restart\":",
	    ("{\"name\":\"log\",\"type\":\"choice\",\"choices\":[\"error\",\"warn\",\"info\",\"debug\"],"
	     "\"default\":\"info\",\"required\":false,\"restart\":true,\"meaning\":\"How much is logged.\"}"),
	    "{\"name\":\"channels.NAME.token\",\"type\":\"secret\",",
	    "\"range\":\"between ",
	};
	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		if (!strstr(out.data, rows[i]))
			fail_msg("%s is not in %s", rows[i], out.data);
	json_object_put(list);
	buf_clear(&out);
}

static void the_documentation_names_every_key_with_its_default(void **state)
{
	(void)state;
	static const struct config_section *const all[] = {
	    &sample_top, &sample_channel, &sample_llm, &sample_provider};
	struct buf doc = BUF_INIT, again = BUF_INIT;

	config_document(&doc, all, ARRAY_LEN(all));
	for (size_t s = 0; s < ARRAY_LEN(all); s++) {
		buf_reset(&again);
		config_document(&again, &all[s], 1);
		assert_non_null(strstr(doc.data, again.data));
		assert_non_null(strstr(again.data, all[s]->help));
		for (size_t k = 0; k < all[s]->key_count; k++) {
			char *cell = xasprintf("\n| `%s` | ", all[s]->keys[k].name);
			assert_non_null(strstr(again.data, cell));
			free(cell);
		}
	}
	static const char *const rows[] = {
	    "## At the top\n\nThe whole.\n\n| Key | Type | Default | Meaning |\n| --- | --- | --- | --- |\n",
	    "| `state` | string | required | Where it is. |\n",
	    "| `control` | string | none | The control socket. |\n",
	    ("| `log` | `error`, `warn`, `info` or `debug` | `\"info\"` | How much is logged. A change needs "
	     "a r"),
	    "| `color` | `true` or `false` | `false` | Colours: a\\|b. |\n",
	    "## `channels.NAME`\n\nOne account.\n\n",
	    "| `token` | secret | none | The token of the bot. |\n",
	    "| `greeting` | string | `\"Hello.\"` | The first words. |\n",
	    "| `admins` | list of strings | `[\"root\", \"wheel\"]` | Who may command. |\n",
	    "| `poll` | duration, between 1 s and 5 min | `\"30 s\"` | How long a poll waits. |\n",
	    "| `idle` | duration | `60` | When to rest. |\n",
	    "| `file_size` | size, between 0 B and 1 GiB | `\"20 MiB\"` | The largest file. |\n",
	    "| `port` | whole number, between 1 and 65535 | `8080` | The port. |\n",
	    "| `offset` | whole number, at least -1 | `-1` | The first update. |\n",
	};
	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		if (!strstr(doc.data, rows[i]))
			fail_msg("missing: %s\nin: %s", rows[i], doc.data);
	buf_clear(&doc);
	buf_clear(&again);
}

static uint64_t random_state;

static size_t random_below(size_t bound)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	random_state ^= random_state << 17;
	return (size_t)(random_state % bound);
}

static void mutate(struct buf *text)
{
	static const char *const pieces[] = {
	    "\"", "}", "{", "[", ";", "=", "5000000000", "\n", "\\", "/*", "@include \"x\"\n", "-1"};
	size_t at = random_below(text->len);
	size_t end = at + 1 + random_below(text->len - at < 30 ? text->len - at : 30);
	const char *piece = pieces[random_below(ARRAY_LEN(pieces))];
	struct buf out = BUF_INIT;

	buf_add(&out, text->data, at);
	switch (random_below(4)) {
	case 0: /* a byte becomes another */
		buf_addch(&out, (char)random_below(256));
		buf_add(&out, text->data + at + 1, text->len - at - 1);
		break;
	case 1: /* some bytes are lost */
		buf_add(&out, text->data + end, text->len - end);
		break;
	case 2: /* some stand twice */
		buf_add(&out, text->data + at, end - at);
		buf_add(&out, text->data + at, text->len - at);
		break;
	default:
		buf_addstr(&out, piece);
		buf_add(&out, text->data + at, text->len - at);
	}
	buf_clear(text);
	*text = out;
}

/* Each line is PATH:LINE: sentence, with a line that the file has. */
static void assert_lines(const char *got, const char *path, size_t lines, const char *text)
{
	for (const char *line = got, *end; *line; line = end + 1) {
		char *after;
		end = strchr(line, '\n');
		assert_non_null(end);
		if (strncmp(line, path, strlen(path)) != 0 || line[strlen(path)] != ':')
			fail_msg("no file in: %s\nfor:\n%s", line, text);
		unsigned long n = strtoul(line + strlen(path) + 1, &after, 10);
		if (n < 1 || n > lines || strncmp(after, ": ", 2) != 0 || end - after < 10)
			fail_msg("no line in: %s\nfor:\n%s", line, text);
	}
}

static size_t count_lines(const struct buf *text)
{
	size_t n = 1;
	for (size_t i = 0; i < text->len; i++)
		n += text->data[i] == '\n';
	return n;
}

/* 1: refused whole, 2: loaded with errors, 0: without. */
static int load_mutated(const struct buf *text)
{
	struct error err = {0};
	struct buf got = BUF_INIT;
	char *path = write_file("t.conf", text->data, text->len, 0600);
	struct config *cfg = config_load(path, &err);
	int kind = cfg ? 0 : 1;

	if (cfg) {
		sample_read(cfg);
		config_errors(cfg, &got);
		kind = got.len > 0 ? 2 : 0;
	} else {
		buf_addf(&got, "%s\n", err.text);
	}
	assert_lines(got.data, path, count_lines(text), text->data);
	config_free(cfg);
	buf_clear(&got);
	remove_file(path);
	return kind;
}

static void a_damaged_file_never_crashes_and_every_error_has_a_line(void **state)
{
	(void)state;
	int kinds[3] = {0};
	for (uint64_t seed = 1; seed <= 300; seed++) {
		struct buf text = BUF_INIT;
		random_state = seed * 0x9e3779b97f4a7c15u;
		buf_addstr(&text, good);
		for (size_t n = 1 + random_below(3); n > 0; n--)
			mutate(&text);
		kinds[load_mutated(&text)]++;
		buf_clear(&text);
	}
	assert_true(kinds[0] > 10);
	assert_true(kinds[1] > 10);
	assert_true(kinds[2] > 10);
}

static void revision_of(const char *text, char out[CONFIG_REVISION_SIZE])
{
	static const char *const without[] = {"state", "http", "cluster.node", NULL};
	struct error err;
	struct config *cfg = config_parse("myna.conf", text, &err);

	assert_non_null(cfg);
	config_revision(cfg, without, out);
	config_free(cfg);
}

static void a_revision_tells_what_means_something_else(void **state)
{
	static const char base[] =
	    "state = \"/a\"; name = \"x\"; cluster = { node = \"a\"; lease = \"6s\"; }; l = "
	    "[\"1\", \"2\"]; g: ( { a = 1; }, { b = true; } );";
	static const char *const same[] = {
	    "# Other\n g = ( { a: 1; },\n{ b: TRUE; } ); l = [\"1\", \"2\"]; cluster: { lease = \"6s\"; node "
	    "= "
	    "\"b\"; }; name = \"x\";",
	    "state = \"/b\"; name = \"x\"; http = { listen = \"y\"; }; cluster = { lease = \"6s\"; }; l = "
	    "[\"1\", "
	    "\"2\"]; g: ( { a = 1; }, { b = true; } );",
	};
	static const char *const others[] = {
	    "name = \"y\"; cluster = { lease = \"6s\"; }; l = [\"1\", \"2\"]; g: ( { a = 1; }, { b = true; } "
	    ");",
	    "name = \"x\"; cluster = { lease = \"6s\"; }; l = [\"2\", \"1\"]; g: ( { a = 1; }, { b = true; } "
	    ");",
	    "name = \"x\"; cluster = { lease = \"6s\"; }; l = [\"1\", \"2\"]; g: ( { b = true; }, { a = 1; } "
	    ");",
	    "name = \"x\"; cluster = { lease = \"6s\"; }; l = [\"1\", \"2\"]; g: ( { a = 1; }, { b = false; "
	    "} );",
	    "name = \"x\"; lease = \"6s\"; cluster: { }; l = [\"1\", \"2\"]; g: ( { a = 1; }, { b = true; } "
	    ");",
	    "name = \"x\"; cluster = { lease = \"6s\"; }; l = [\"1\", \"2\"]; g: ( { a = 1; }, { b = true; } "
	    "); e: {};",
	};
	char first[CONFIG_REVISION_SIZE], second[CONFIG_REVISION_SIZE];

	(void)state;
	revision_of(base, first);
	assert_int_equal(strlen(first), CONFIG_REVISION_SIZE - 1);
	for (size_t i = 0; i < ARRAY_LEN(same); i++) {
		revision_of(same[i], second);
		assert_string_equal(first, second);
	}
	for (size_t i = 0; i < ARRAY_LEN(others); i++) {
		revision_of(others[i], second);
		if (strcmp(first, second) == 0)
			fail_msg("the same: %s", others[i]);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(every_type_is_read_into_its_field),
	    cmocka_unit_test(what_is_absent_or_wrong_has_its_default),
	    cmocka_unit_test(names_strings_and_lists_are_found_by_path),
	    cmocka_unit_test(empty_commented_and_windows_files_are_fine),
	    cmocka_unit_test(a_file_that_is_no_text_file_is_refused),
	    cmocka_unit_test(an_include_is_seen_from_its_file_and_keeps_its_lines),
	    cmocka_unit_test(includes_without_end_are_refused),
	    cmocka_unit_test(a_literal_secret_that_others_can_read_is_a_warning),
	    cmocka_unit_test(a_secret_is_resolved_and_its_error_is_reported),
	    cmocka_unit_test(the_locale_of_the_thread_stays),
	    cmocka_unit_test(a_revision_tells_what_means_something_else),
	    cmocka_unit_test(every_key_is_described_for_scripts),
	    cmocka_unit_test(the_documentation_names_every_key_with_its_default),
	    cmocka_unit_test(a_damaged_file_never_crashes_and_every_error_has_a_line),
	};
	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
