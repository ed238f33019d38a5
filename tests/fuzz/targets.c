/* Those of Myna. The playground has names that Myna has too, so that its targets are a program of their own. */
#include "fuzz/fuzz.h"

const struct fuzz_target fuzz_targets[] = {
	{ "address", fuzz_address },
	{ "arguments", fuzz_arguments },
	{ "base64", fuzz_base64 },
	{ "classify", fuzz_classify },
	{ "command", fuzz_command },
	{ "config", fuzz_config },
	{ "history", fuzz_history },
	{ "json", fuzz_json },
	{ "openai", fuzz_openai },
	{ "path", fuzz_path },
	{ "salvage_page", fuzz_salvage_page },
	{ "secret", fuzz_secret },
	{ "server_body", fuzz_server_body },
	{ "server_head", fuzz_server_head },
	{ "sse", fuzz_sse },
	{ "telegram_render", fuzz_telegram_render },
	{ "telegram_split", fuzz_telegram_split },
	{ "telegram_update", fuzz_telegram_update },
	{ "telegram_verdict", fuzz_telegram_verdict },
	{ "url", fuzz_url },
	{ "utf8", fuzz_utf8 },
	{ "wal", fuzz_wal },
	{ NULL, NULL },
};
