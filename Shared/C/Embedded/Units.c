#include "CEmbedded.h"

static const unsigned char target[] = {
#embed "../../../deploy/systemd/user/lunara.target"
};
static const unsigned char library_service[] = {
#embed "../../../deploy/systemd/user/lunara-library.service"
};
static const unsigned char playback_service[] = {
#embed "../../../deploy/systemd/user/lunara-playback@.service"
};
static const unsigned char router_service[] = {
#embed "../../../deploy/systemd/user/lunara-router.service"
};
static const unsigned char scrobble_service[] = {
#embed "../../../deploy/systemd/user/lunara-scrobble.service"
};
static const unsigned char nowplaying_service[] = {
#embed "../../../deploy/systemd/user/lunara-nowplaying.service"
};
static const unsigned char web_service[] = {
#embed "../../../deploy/systemd/user/lunara-web.service"
};
static const unsigned char media_service[] = {
#embed "../../../deploy/systemd/user/lunara-media.service"
};
static const unsigned char media_path[] = {
#embed "../../../deploy/systemd/user/lunara-media.path"
};
static const unsigned char resolver_service[] = {
#embed "../../../deploy/systemd/user/lunara-resolver.service"
};
static const unsigned char resolver_path[] = {
#embed "../../../deploy/systemd/user/lunara-resolver.path"
};
static const unsigned char discovery_service[] = {
#embed "../../../deploy/systemd/user/lunara-discovery.service"
};
static const unsigned char discovery_path[] = {
#embed "../../../deploy/systemd/user/lunara-discovery.path"
};
static const unsigned char providers_service[] = {
#embed "../../../deploy/systemd/user/lunara-providers.service"
};
static const unsigned char mpd_service[] = {
#embed "../../../deploy/systemd/user/lunara-mpd.service"
};
static const unsigned char providers_path[] = {
#embed "../../../deploy/systemd/user/lunara-providers.path"
};

static const struct lunara_unit units[] = {
  {"lunara.target", {target, sizeof target}},
  {"lunara-library.service", {library_service, sizeof library_service}},
  {"lunara-playback@.service", {playback_service, sizeof playback_service}},
  {"lunara-router.service", {router_service, sizeof router_service}},
  {"lunara-scrobble.service", {scrobble_service, sizeof scrobble_service}},
  {"lunara-nowplaying.service", {nowplaying_service, sizeof nowplaying_service}},
  {"lunara-web.service", {web_service, sizeof web_service}},
  {"lunara-media.service", {media_service, sizeof media_service}},
  {"lunara-media.path", {media_path, sizeof media_path}},
  {"lunara-resolver.service", {resolver_service, sizeof resolver_service}},
  {"lunara-resolver.path", {resolver_path, sizeof resolver_path}},
  {"lunara-discovery.service", {discovery_service, sizeof discovery_service}},
  {"lunara-discovery.path", {discovery_path, sizeof discovery_path}},
  {"lunara-providers.service", {providers_service, sizeof providers_service}},
  {"lunara-mpd.service", {mpd_service, sizeof mpd_service}},
  {"lunara-providers.path", {providers_path, sizeof providers_path}},
};

const struct lunara_unit *lunara_units(size_t *count) {
  *count = sizeof units / sizeof units[0];
  return units;
}
