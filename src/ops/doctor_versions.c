/* A separate file, because libconfig and base/config/config.h have a function of the same name. */
#include "ops/doctor.h"

#include "config.h"

#include <curl/curl.h>
#include <json-c/json.h>
#include <libconfig.h>
#include <libwebsockets.h>
#include <sqlite3.h>
#include <uv.h>

#include "base/buf.h"
#include "base/error.h"
#include "ops/diagnosis.h"
#include "net/http/library.h"

void doctor_add_versions(struct json_object *list)
{
	struct buf text = BUF_INIT;
	struct error err = {0};

	if (http_library_check(&err) < 0)
		diagnosis_add(list, DIAGNOSIS_BAD, "libcurl", err.text, NULL);
	buf_addf(&text,
	    "myna %s; SQLite %s, libcurl %s, libuv %s, libwebsockets %s, json-c %s, libconfig %d.%d.%d",
	    PACKAGE_VERSION, sqlite3_libversion(), curl_version_info(CURLVERSION_NOW)->version,
	    uv_version_string(), lws_get_library_version(), json_c_version(), LIBCONFIG_VER_MAJOR,
	    LIBCONFIG_VER_MINOR, LIBCONFIG_VER_REVISION);
	diagnosis_add(list, DIAGNOSIS_OK, "versions", text.data, NULL);
	buf_clear(&text);
}
