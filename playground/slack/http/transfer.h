#ifndef PLAYGROUND_SLACK_HTTP_TRANSFER_H
#define PLAYGROUND_SLACK_HTTP_TRANSFER_H
/* Serves file contents: uploads to the URL of files.getUploadURLExternal, downloads of url_private. */
struct exchange;
struct slk_world;

void slk_transfer_upload(struct slk_world *w, struct exchange *ex, const char *path);
/* Without a valid bearer token the response is a login page with status 200. */
void slk_transfer_download(struct slk_world *w, struct exchange *ex, const char *path);
/* The redirect target of a download: needs no token. */
void slk_transfer_cdn(struct slk_world *w, struct exchange *ex, const char *path);

#endif
