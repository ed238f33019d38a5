#ifndef TESTS_NET_WEB_WEB_CERTIFICATE_H
#define TESTS_NET_WEB_WEB_CERTIFICATE_H
/* A key and its certificate, for docs.rs, github.com, api.github.com, *.example.com and localhost. The key
 * protects nothing, because it is public. */

static const char web_certificate[] = "-----BEGIN PRIVATE KEY-----\n"
				      "MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgYT0wITuB9UD7gp/4\n"
				      "eTBT0UD6oD1c7Ju/TFLgdFaPtmahRANCAASoGNANi7UnVdizr6uiQxuL87FX6zuO\n"
				      "6njmxDg/lALmOfkbDmoTiPGe+hSODH3Nt/tM6XN/hGXIYdxmVAsyB7kf\n"
				      "-----END PRIVATE KEY-----\n"
				      "-----BEGIN CERTIFICATE-----\n"
				      "MIIByjCCAXGgAwIBAgIUYaZT4RxF+rDDP6+ncDDiAWfXsbYwCgYIKoZIzj0EAwIw\n"
				      "FDESMBAGA1UEAwwJTXluYSB0ZXN0MCAXDTI2MTEyMTIyMzc0N1oYDzIxMjYxMDI4\n"
				      "MjIzNzQ3WjAUMRIwEAYDVQQDDAlNeW5hIHRlc3QwWTATBgcqhkjOPQIBBggqhkjO\n"
				      "PQMBBwNCAASoGNANi7UnVdizr6uiQxuL87FX6zuO6njmxDg/lALmOfkbDmoTiPGe\n"
				      "+hSODH3Nt/tM6XN/hGXIYdxmVAsyB7kfo4GeMIGbMB0GA1UdDgQWBBTeuHDsLaKU\n"
				      "tlYciOoYPRLVQ5dLtjAfBgNVHSMEGDAWgBTeuHDsLaKUtlYciOoYPRLVQ5dLtjAP\n"
				      "BgNVHRMBAf8EBTADAQH/MEgGA1UdEQRBMD+CB2RvY3MucnOCCmdpdGh1Yi5jb22C\n"
				      "DmFwaS5naXRodWIuY29tgg0qLmV4YW1wbGUuY29tgglsb2NhbGhvc3QwCgYIKoZI\n"
				      "zj0EAwIDRwAwRAIgFCNEZs7h5eih25OAjalZYwbGU2loUS8B5RYRffbHT5sCIC3v\n"
				      "h4TtEsX7rG0F2096yykobHkOvlx1zj5ikUzyvp7y\n"
				      "-----END CERTIFICATE-----\n";

#endif
