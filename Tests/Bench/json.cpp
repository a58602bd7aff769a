// Measures the reading of JSON texts with simdjson, beside `lunara-bus-bench json` (docs/adr/0047-json.md).
//
//     apt-get install libsimdjson-dev
//     g++ -O3 -std=c++17 Tests/Bench/json.cpp -lsimdjson -o /tmp/json && /tmp/json parse|read|albums FILE
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <optional>
#include <simdjson.h>
#include <string>
#include <vector>

// The form of the library's answer in memory: each text is a string of its own, as in Swift.
struct Album {
  std::string id, title, artist;
  std::optional<std::string> artistID, art, lastPlayedAt;
  std::optional<int64_t> year;
  std::vector<std::string> genres;
  int64_t trackCount = 0, duration = 0;
  std::string addedAt, palette[3];
};

static std::string text(simdjson::dom::element value) { return std::string(std::string_view(value)); }

static size_t sum(simdjson::dom::element value) {
  size_t total = 0;
  switch (value.type()) {
    case simdjson::dom::element_type::OBJECT:
      for (auto member : simdjson::dom::object(value)) total += std::string(member.key).size() + sum(member.value);
      return total;
    case simdjson::dom::element_type::ARRAY:
      for (auto element : simdjson::dom::array(value)) total += sum(element);
      return total;
    case simdjson::dom::element_type::STRING: return text(value).size();
    case simdjson::dom::element_type::INT64: return size_t(int64_t(value));
    case simdjson::dom::element_type::UINT64: return size_t(uint64_t(value));
    case simdjson::dom::element_type::DOUBLE: return size_t(int64_t(double(value)));
    default: return bool(value.is_bool() && bool(value));
  }
}

static size_t albums(simdjson::dom::element page) {
  std::vector<Album> found;
  for (simdjson::dom::element item : page["items"]) {
    Album album;
    album.id = text(item["id"]), album.title = text(item["title"]), album.artist = text(item["artist"]);
    album.trackCount = item["trackCount"], album.duration = item["duration"], album.addedAt = text(item["addedAt"]);
    simdjson::dom::element value;
    if (!item["artistID"].get(value)) album.artistID = text(value);
    if (!item["art"].get(value)) album.art = text(value);
    if (!item["lastPlayedAt"].get(value)) album.lastPlayedAt = text(value);
    if (!item["year"].get(value)) album.year = int64_t(value);
    for (simdjson::dom::element genre : item["genres"]) album.genres.push_back(text(genre));
    const char *names[] = {"first", "second", "dark"};
    for (int part = 0; part < 3; part++) album.palette[part] = text(item["palette"][names[part]]);
    found.push_back(std::move(album));
  }
  return found.size();
}

static size_t parse(simdjson::dom::element) { return 1; }

int main(int count, char **words) {
  if (count != 3) return fprintf(stderr, "json parse|read|albums FILE\n"), 2;
  std::string bytes(simdjson::padded_string::load(words[2]).value());
  auto read = !strcmp(words[1], "albums") ? albums : !strcmp(words[1], "parse") ? parse : sum;
  simdjson::dom::parser parser;
  size_t total = 0;
  double best = 1e9;
  for (int part = 0; part < 5; part++) {
    clock_t began = clock();
    double seconds = 0;
    size_t rounds = 0;
    while (seconds < 0.4) {
      // The bus gives bytes without padding: `parse` copies them behind room of its own.
      for (int round = 0; round < 20; round++) total = read(parser.parse(bytes));
      rounds += 20;
      seconds = double(clock() - began) / CLOCKS_PER_SEC;
    }
    best = std::min(best, seconds / rounds);
  }
  printf("{\"bytes\":%zu,\"microseconds\":%.2f,\"megabytesPerSecond\":%.1f,\"sum\":%zu}\n", bytes.size(), best * 1e6,
         bytes.size() / best / 1e6, total);
}
