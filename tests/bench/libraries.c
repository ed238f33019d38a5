/*
 * Initialises the libraries that Myna uses, as Myna does, and nothing else; then says so and waits for a
 * signal. libraries DIR
 */
#include <curl/curl.h>
#include <json-c/json.h>
#include <libconfig.h>
#include <libwebsockets.h>
#include <sqlite3.h>
#include <unistd.h>
#include <uv.h>

#include "net/lws_context.h"

int main(int argc, char **argv)
{
	void *loops[] = {uv_default_loop()};
	struct lws_context_creation_info info = {
	    .options = LWS_SERVER_OPTION_LIBUV | LWS_SERVER_OPTION_EXPLICIT_VHOSTS |
		LWS_SERVER_OPTION_DO_SSL_GLOBAL_INIT,
	    .foreign_loops = loops,
	    .fd_limit_per_thread = LWS_SHARED_SOCKETS,
	    .pt_serv_buf_size = LWS_SHARED_READ,
	};
	struct config_t config;
	char path[512];
	sqlite3 *db;

	snprintf(path, sizeof(path), "%s/libraries.db", argc > 1 ? argv[1] : ".");
	lws_set_log_level(LLL_ERR, NULL);
	config_init(&config);
	if (curl_global_init(CURL_GLOBAL_DEFAULT) != 0 || !curl_multi_init() || !curl_easy_init() ||
	    !lws_create_context(&info) || !json_tokener_parse("{\"a\":[1]}") ||
	    config_read_string(&config, "a = 1;") != CONFIG_TRUE || sqlite3_open(path, &db) != SQLITE_OK ||
	    sqlite3_exec(db,
		"PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; CREATE TABLE IF NOT EXISTS t "
		"(a)",
		NULL, NULL, NULL) != SQLITE_OK)
		return 1;
	uv_run(uv_default_loop(), UV_RUN_NOWAIT);
	puts("ready");
	fflush(stdout);
	pause();
	return 0;
}
