#include "net/http/library.h"

#include <curl/curl.h>

#include "base/error.h"
#include "base/mem.h"

_Static_assert(LIBCURL_VERSION_NUM >= HTTP_LIBRARY_MIN,
    "configure.ac lets an older libcurl pass than the code can do with");

/* Features that a library can be built without. */
static const struct {
	int feature;
	const char *lacks;
} needed[] = {
    {CURL_VERSION_SSL, "TLS, so that no platform and no provider could be reached"},
    {CURL_VERSION_HTTP2, "HTTP/2, so that it refuses every request"},
    {CURL_VERSION_ASYNCHDNS,
	"a resolver that does not wait, so that every look-up of a name would stop all chats"},
    {CURL_VERSION_LIBZ, "gzip, so that what servers compress could not be read"},
};

int http_library_judge(unsigned version, int features, const char *text, struct error *err)
{
	if (version < HTTP_LIBRARY_MIN)
		return error_set(err, ERROR_OURS,
		    "libcurl %s is too old: install libcurl 7.88 or newer (Debian 12 has it), and see with "
		    "ldd which one is found",
		    text);
	for (size_t i = 0; i < ARRAY_LEN(needed); i++)
		if (!(features & needed[i].feature))
			return error_set(err, ERROR_OURS,
			    "libcurl %s was built without %s. Install the libcurl of the distribution, and "
			    "see with ldd which one is found",
			    text, needed[i].lacks);
	return 0;
}

int http_library_check(struct error *err)
{
	const curl_version_info_data *info = curl_version_info(CURLVERSION_NOW);

	return http_library_judge(info->version_num, info->features, info->version, err);
}
