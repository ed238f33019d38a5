#include "playground/server/certificate.h"

#include <errno.h>
#include <fcntl.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/mem.h"
#include "base/time/clock.h"

#define DAY_S      86400
#define DAYS       800 /* some clients refuse more than 825 */
#define DAYS_LEFT  30
#define NAME       "myna-playground"
#define SERVER     "127.0.0.1"
#define EXTENSIONS 5

struct extension {
	int nid;
	const char *value; /* as OpenSSL's configuration writes it */
};

static const struct extension of_authority[EXTENSIONS] = {
    {NID_basic_constraints, "critical,CA:TRUE,pathlen:0"},
    {NID_key_usage, "critical,keyCertSign"},
    {NID_subject_key_identifier, "hash"},
};

static int failed(struct error *err, const char *what, const char *path)
{
	return error_set(err, ERROR_OURS, "cannot %s %s: %s", what, path, strerror(errno));
}

static bool add_extension(X509 *x, X509 *issuer, const struct extension *e)
{
	X509_EXTENSION *made;
	X509V3_CTX ctx;
	bool good;

	X509V3_set_ctx(&ctx, issuer, x, NULL, NULL, 0);
	made = X509V3_EXT_conf_nid(NULL, &ctx, e->nid, e->value);
	good = made && X509_add_ext(x, made, -1);
	X509_EXTENSION_free(made);
	return good;
}

static bool set_names(X509 *x, X509 *issuer, const char *name)
{
	X509_NAME *subject = X509_get_subject_name(x);

	return X509_NAME_add_entry_by_txt(
		   subject, "CN", MBSTRING_UTF8, (const unsigned char *)name, -1, -1, 0) &&
	    X509_set_issuer_name(x, X509_get_subject_name(issuer));
}

static bool set_times(X509 *x)
{
	time_t now = (time_t)(clock_wall() / 1000);

	return X509_time_adj_ex(X509_getm_notBefore(x), -1, 0, &now) &&
	    X509_time_adj_ex(X509_getm_notAfter(x), DAYS, 0, &now);
}

/* issuer: NULL for one that signs itself. */
static X509 *sign(const char *name, EVP_PKEY *key, X509 *issuer, EVP_PKEY *issuer_key,
    const struct extension extensions[EXTENSIONS])
{
	X509 *x = X509_new();
	uint64_t serial;
	bool good;

	clock_random(&serial, sizeof(serial));
	good = x && key && issuer_key && X509_set_version(x, X509_VERSION_3) &&
	    ASN1_INTEGER_set_uint64(X509_get_serialNumber(x), serial >> 1 | 1) &&
	    set_names(x, issuer ? issuer : x, name) && set_times(x) && X509_set_pubkey(x, key);
	for (size_t i = 0; good && i < EXTENSIONS && extensions[i].value; i++)
		good = add_extension(x, issuer ? issuer : x, &extensions[i]);
	if (good && X509_sign(x, issuer_key, EVP_sha256()) > 0)
		return x;
	X509_free(x);
	return NULL;
}

static X509 *sign_server(EVP_PKEY *key, X509 *authority, EVP_PKEY *authority_key, const char *host)
{
	char *names = xasprintf("DNS:localhost,IP:127.0.0.1,IP:::1,IP:%s", host);
	const struct extension extensions[EXTENSIONS] = {
	    {NID_basic_constraints, "critical,CA:FALSE"},
	    {NID_key_usage, "critical,digitalSignature"},
	    {NID_ext_key_usage, "serverAuth"},
	    {NID_authority_key_identifier, "keyid:always"},
	    {NID_subject_alt_name, names},
	};
	X509 *x = sign(NAME, key, authority, authority_key, extensions);

	free(names);
	return x;
}

/* Writes what is not NULL. */
static int write_pem(const char *path, X509 *x, EVP_PKEY *key, struct error *err)
{
	char *fresh = xasprintf("%s.new", path);
	int fd = open(fresh, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, key ? 0600 : 0644), ret = -1;
	FILE *f = fd >= 0 ? fdopen(fd, "w") : NULL;
	bool good =
	    f && PEM_write_X509(f, x) && (!key || PEM_write_PrivateKey(f, key, NULL, NULL, 0, NULL, NULL));

	if (f && fclose(f) != 0)
		good = false;
	if (!good || rename(fresh, path) != 0)
		failed(err, "write", path);
	else
		ret = 0;
	free(fresh);
	return ret;
}

static int make(const struct certificate *c, const char *host, struct error *err)
{
	EVP_PKEY *authority_key = EVP_EC_gen("P-256"), *key = EVP_EC_gen("P-256");
	X509 *authority = sign(NAME " authority", authority_key, NULL, authority_key, of_authority),
	     *server = authority ? sign_server(key, authority, authority_key, host) : NULL;
	int ret = -1;

	if (!server)
		error_set(err, ERROR_OURS, "OpenSSL makes no certificate for %s", host);
	else if (write_pem(c->authority, authority, NULL, err) == 0)
		ret = write_pem(c->server, server, key, err);
	X509_free(server);
	X509_free(authority);
	EVP_PKEY_free(key);
	EVP_PKEY_free(authority_key);
	return ret;
}

static X509 *read_pem(const char *path)
{
	FILE *f = fopen(path, "re");
	X509 *x = f ? PEM_read_X509(f, NULL, NULL, NULL) : NULL;

	if (f)
		fclose(f);
	return x;
}

static bool is_good(const struct certificate *c, const char *host)
{
	X509 *authority = read_pem(c->authority), *server = read_pem(c->server);
	time_t later = (time_t)(clock_wall() / 1000 + DAYS_LEFT * DAY_S);
	bool good = authority && server && X509_verify(server, X509_get0_pubkey(authority)) == 1 &&
	    X509_check_ip_asc(server, host, 0) == 1 && X509_cmp_time(X509_get0_notAfter(server), &later) > 0;

	X509_free(authority);
	X509_free(server);
	return good;
}

int certificate_prepare(struct certificate *c, const char *folder, const char *host, struct error *err)
{
	char *address = xstrdup(host[0] == '[' ? host + 1 : strcmp(host, "localhost") == 0 ? SERVER : host);
	int ret = 0;

	address[strcspn(address, "]")] = '\0';
	c->authority = xasprintf("%s/tls-authority.pem", folder);
	c->server = xasprintf("%s/tls-server.pem", folder);
	if (mkdir(folder, 0700) != 0 && errno != EEXIST)
		ret = failed(err, "make", folder);
	else if (!is_good(c, address))
		ret = make(c, address, err);
	free(address);
	if (ret != 0)
		certificate_clear(c);
	return ret;
}

void certificate_clear(struct certificate *c)
{
	free(c->authority);
	free(c->server);
	*c = (struct certificate){NULL, NULL};
}
