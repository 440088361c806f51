#include "cli/quantised/archive.hpp"

#include <fmt/format.h>
#include <zip.h>

#include <utility>

#include "cli/files/readable.hpp"

namespace wgemm::cli {
namespace {

/// The most that deflate makes of a byte; an archive that claims more is damaged.
constexpr std::uint64_t kMostInflation = 1032;
constexpr std::uint64_t kSmallMember = 65536;

struct CloseMember {
  void operator()(zip_file_t* member) const { zip_fclose(member); }
};

std::string reason(int code) {
  zip_error_t error;
  zip_error_init_with_code(&error, code);
  std::string text = zip_error_strerror(&error);
  zip_error_fini(&error);
  return text;
}

tl::unexpected<Error> damaged(const std::string& path, std::string_view member, std::string_view why) {
  return fail(ErrorCode::io, path, fmt::format("'{}' is damaged: '{}': {}", path, member, why));
}

tl::unexpected<Error> cannot_pack(std::string_view why) {
  return fail(ErrorCode::io, "", fmt::format("the archive could not be made: {}", why));
}

/// Everything that was written to a source.
Result<std::string> bytes_of(zip_source_t* source) {
  zip_stat_t stat;
  if (zip_source_stat(source, &stat) < 0 || zip_source_open(source) < 0)
    return cannot_pack(zip_error_strerror(zip_source_error(source)));
  std::string bytes(stat.size, '\0');
  const auto read = zip_source_read(source, bytes.data(), bytes.size());
  zip_source_close(source);
  if (std::cmp_not_equal(read, bytes.size())) return cannot_pack("it could not be read back");
  return bytes;
}

}  // namespace

void Archive::Discard::operator()(zip* archive) const { zip_discard(archive); }

Result<Archive> Archive::open(const std::string& path) {
  if (auto done = check_readable(path); !done) return tl::unexpected(done.error());
  int code = 0;
  auto* archive = zip_open(path.c_str(), ZIP_RDONLY, &code);
  if (archive == nullptr) {
    return fail(ErrorCode::io, path,
                fmt::format("'{}' is no .npz file, or a truncated one: {}", path, reason(code)));
  }
  return Archive(path, archive);
}

bool Archive::holds(const std::string& name) const {
  return zip_name_locate(archive_.get(), name.c_str(), 0) >= 0;
}

std::vector<std::string> Archive::members() const {
  std::vector<std::string> names;
  const auto count = zip_get_num_entries(archive_.get(), 0);
  for (zip_int64_t i = 0; i < count; ++i) {
    const auto* const name = zip_get_name(archive_.get(), static_cast<zip_uint64_t>(i), 0);
    names.emplace_back(name != nullptr ? name : "");
  }
  return names;
}

Result<std::string> Archive::read(const std::string& name) const {
  zip_stat_t stat;
  if (zip_stat(archive_.get(), name.c_str(), 0, &stat) < 0) {
    return fail(
        ErrorCode::io, path_,
        fmt::format("'{}' has no member '{}'; `wgemm quantize` writes archives that have", path_, name));
  }
  // Before any memory is taken.
  if (stat.size > kSmallMember && stat.size / kMostInflation > stat.comp_size) {
    return damaged(path_, name, fmt::format("it claims {} bytes, packed into {}", stat.size, stat.comp_size));
  }
  const std::unique_ptr<zip_file_t, CloseMember> member(zip_fopen(archive_.get(), name.c_str(), 0));
  if (!member) return damaged(path_, name, zip_strerror(archive_.get()));
  std::string bytes(stat.size, '\0');
  std::uint64_t at = 0;
  // Also past the last byte: the checksum is compared there.
  for (char beyond = 0;;) {
    auto* const target = at < bytes.size() ? bytes.data() + at : &beyond;
    const auto room = at < bytes.size() ? bytes.size() - at : 1;
    const auto read = zip_fread(member.get(), target, room);
    if (read < 0) return damaged(path_, name, zip_file_strerror(member.get()));
    if (read == 0) break;
    at += static_cast<std::uint64_t>(read);
  }
  if (at != bytes.size()) return damaged(path_, name, fmt::format("it has {} of {} bytes", at, bytes.size()));
  return bytes;
}

Result<std::string> make_archive(const std::vector<std::pair<std::string, std::string>>& members) {
  zip_error_t error;
  zip_error_init(&error);
  auto* const target = zip_source_buffer_create(nullptr, 0, 0, &error);
  if (target == nullptr) return cannot_pack(zip_error_strerror(&error));
  auto* const archive = zip_open_from_source(target, ZIP_TRUNCATE, &error);
  if (archive == nullptr) {
    zip_source_free(target);
    return cannot_pack(zip_error_strerror(&error));
  }
  zip_source_keep(target);  // closing the archive gives one reference back
  std::string why;
  for (const auto& [name, bytes] : members) {
    auto* const source = zip_source_buffer(archive, bytes.data(), bytes.size(), 0);
    const auto index = source == nullptr ? -1 : zip_file_add(archive, name.c_str(), source, ZIP_FL_ENC_UTF_8);
    if (index < 0) {
      why = zip_strerror(archive);
      zip_source_free(source);
      break;
    }
    const auto entry = static_cast<zip_uint64_t>(index);
    constexpr zip_uint16_t kFirstDay = 0x21;  // of 1980, at midnight
    zip_set_file_compression(archive, entry, ZIP_CM_STORE, 0);
    zip_file_set_dostime(archive, entry, 0, kFirstDay, 0);
  }
  if (why.empty() && zip_close(archive) < 0) why = zip_strerror(archive);
  if (!why.empty()) {
    zip_discard(archive);
    zip_source_free(target);
    return cannot_pack(why);
  }
  auto bytes = bytes_of(target);
  zip_source_free(target);
  return bytes;
}

}  // namespace wgemm::cli
