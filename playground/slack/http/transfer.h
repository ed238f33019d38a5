#ifndef PLAYGROUND_SLACK_HTTP_TRANSFER_H
#define PLAYGROUND_SLACK_HTTP_TRANSFER_H
/* The bytes of files: uploads to the URL of files.getUploadURLExternal, downloads of url_private. */
struct exchange;
struct slk_world;

void slk_transfer_upload(struct slk_world *w, struct exchange *ex, const char *path);
/* Without a good bearer token the answer is a page to log in, with status 200. */
void slk_transfer_download(struct slk_world *w, struct exchange *ex, const char *path);
/* Where a download was sent on to: no token is asked for. */
void slk_transfer_cdn(struct slk_world *w, struct exchange *ex, const char *path);

#endif
