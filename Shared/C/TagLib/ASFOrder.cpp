#include "ASFOrder.h"

#include <algorithm>
#include <map>

namespace {

using namespace TagLib;

/// The Header Extension Object, in which the Metadata Library Object is, and the Extended Content Description Object.
const ByteVector extensionObject("\xB5\x03\xBF\x5F\x2E\xA9\xCF\x11\x8E\xE3\x00\xC0\x0C\x20\x53\x65", 16);
const ByteVector descriptionObject("\x40\xA4\xD0\xD2\x07\xE3\xD2\x11\x97\xF0\x00\xA0\xC9\x5E\xA8\x50", 16);

constexpr unsigned int guidSize = 16;
constexpr long objectHeadSize = 24;
constexpr long headerHeadSize = 30;
constexpr unsigned int longestDescription = 1 << 20;
constexpr unsigned int mostObjects = 64;

/// Counts the values of each name in the data of an Extended Content Description Object.
std::map<String, unsigned int> countNames(const ByteVector &data) {
  std::map<String, unsigned int> counts;
  if (data.size() < 2) return counts;
  const unsigned int values = data.toUShort(0U, false);
  unsigned int at = 2;
  for (unsigned int index = 0; index < values && at + 2 <= data.size(); ++index) {
    const unsigned int nameSize = data.toUShort(at, false);
    if (at + 2 + nameSize + 4 > data.size()) break;
    String name(data.mid(at + 2, nameSize), String::UTF16LE);
    // The name ends with a NUL.
    if (!name.isEmpty() && name[static_cast<int>(name.size()) - 1] == 0) name = name.substr(0, name.size() - 1);
    at += 2 + nameSize;
    at += 4 + data.toUShort(at + 2, false);
    ++counts[name];
  }
  return counts;
}

}  // namespace

void orderValues(ASF::File &file) {
  auto &attributes = file.tag()->attributeListMap();
  const bool hasSeveral = std::any_of(
      attributes.begin(), attributes.end(), [](const auto &attribute) { return attribute.second.size() > 1; });
  if (!hasSeveral) return;
  bool isExtensionFirst = false;
  std::map<String, unsigned int> counts;
  file.seek(headerHeadSize);
  for (unsigned int index = 0; index < mostObjects; ++index) {
    const long start = file.tell();
    const ByteVector id = file.readBlock(guidSize);
    const long long size = file.readBlock(8).toLongLong(false);
    if (id.size() < guidSize || size < objectHeadSize || size > file.length() - start) break;
    if (id == extensionObject) isExtensionFirst = true;
    if (id == descriptionObject) {
      if (isExtensionFirst && size <= longestDescription) {
        counts = countNames(file.readBlock(static_cast<unsigned long>(size - objectHeadSize)));
      }
      break;
    }
    file.seek(static_cast<long>(start + size));
  }
  for (auto &attribute : attributes) {
    const auto count = counts.find(attribute.first);
    if (count == counts.end() || count->second >= attribute.second.size()) continue;
    ASF::AttributeList ordered;
    unsigned int place = 0;
    const unsigned int others = attribute.second.size() - count->second;
    for (const auto &value : attribute.second) {
      if (place++ >= others) ordered.append(value);
    }
    place = 0;
    for (const auto &value : attribute.second) {
      if (place++ < others) ordered.append(value);
    }
    attribute.second = ordered;
  }
}
