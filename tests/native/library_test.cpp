// Finding and opening WebGPU libraries.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>
#include <thread>

#include "fixture.hpp"
#include "native/library/library.hpp"
#include "native/library/search.hpp"
#include "native/library/stderr_capture.hpp"

namespace wgemm::native {
namespace {

class LibraryTest : public OnBothLibraries {};
WGEMM_ON_BOTH_LIBRARIES(LibraryTest);

/// What is called on wgpu-native: the only library with a list of calls that abort.
constexpr auto kCalled = std::to_array<std::string_view>({
#define X(name) #name,
    WGEMM_WEBGPU_FUNCTIONS(X)
#undef X
#define X(name, type) #name,
        WGEMM_WGPU_FUNCTIONS(X)
#undef X
});

TEST_P(LibraryTest, OpensWithTheKindThatItsNameSays) {
  Result<Library*> library = Library::open(GetParam());
  ASSERT_TRUE(library) << library.error().message;
  EXPECT_EQ((*library)->capabilities().name, GetParam());
  EXPECT_TRUE(std::filesystem::exists((*library)->path())) << (*library)->path();
  EXPECT_EQ((*library)->version(), GetParam() == "wgpu" ? (*library)->version() : "unknown");
}

TEST_P(LibraryTest, OpensByPathAsTheSameLibrary) {
  Result<Library*> named = Library::open(GetParam());
  ASSERT_TRUE(named) << named.error().message;
  Result<Library*> by_path = Library::open((*named)->path());
  ASSERT_TRUE(by_path) << by_path.error().message;
  EXPECT_EQ((*by_path)->kind(), (*named)->kind());
}

TEST_P(LibraryTest, IsFoundInTheFolderThatSetupFilled) {
  const std::vector<std::string> candidates = library_candidates(GetParam());
  EXPECT_TRUE(std::ranges::any_of(
      candidates,
      [](const std::string& file) { return file.starts_with(WGEMM_DEPS) && std::filesystem::exists(file); }))
      << "tools/setup.py has not fetched " << GetParam();
}

TEST_P(LibraryTest, CallsNothingThatAbortsTheProcess) {
  const Library& library = *Library::open(GetParam()).value();
  for (const std::string_view aborting : library.capabilities().aborting) {
    EXPECT_EQ(std::ranges::count(kCalled, aborting), 0) << aborting;
  }
  // What only Dawn implements is out of reach on wgpu-native, which exports it as well.
  const bool dawn = library.kind() == LibraryKind::dawn;
#define X(name) EXPECT_EQ(library.functions().name != nullptr, dawn) << #name;
  WGEMM_DAWN_STANDARD_FUNCTIONS(X)
#undef X
}

TEST(Library, AbortListOfWgpuNamesWhatItExportsAndDoesNotImplement) {
  EXPECT_EQ(kWgpuCapabilities.aborting.size(), 7U);
  Result<Library*> library = Library::open("wgpu");
  ASSERT_TRUE(library) << library.error().message;
  for (const std::string_view name : kWgpuCapabilities.aborting) {
    EXPECT_NE((*library)->symbol(("wgpu" + std::string(name)).c_str()), nullptr) << name;
  }
}

TEST(Library, DawnTakesTheLoggingCallbackOfItsInstance) {
  Result<Library*> library = Library::open("dawn");
  ASSERT_TRUE(library) << library.error().message;
  const auto& logging = (*library)->instance_logging();
  EXPECT_TRUE(logging && logging->active()) << "this Dawn has another layout; it will print warnings";
}

#if defined(__GLIBC__)
TEST(StderrCaptureTest, TakesTheWordsOfItsOwnThreadOnly) {
  LogHub hub;
  std::string heard;
  const LogHub::Listener listener(hub, [&](Severity, std::string_view message) { heard += message; });
  testing::internal::CaptureStderr();
  {
    const StderrCapture capture(hub);
    std::fputs("mine\n", stderr);
    std::thread([] { std::fputs("another's\n", stderr); }).join();
  }
  std::fputs("later\n", stderr);
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "another's\nlater\n");
  EXPECT_EQ(heard, "mine");
}
#endif

TEST(Library, UnknownNameIsAnErrorThatSaysWhatWouldBeRight) {
  const Result<Library*> library = Library::open("vulkan-on-toast");
  ASSERT_FALSE(library);
  EXPECT_EQ(library.error().code, ErrorCode::not_found);
  EXPECT_NE(library.error().message.find("give dawn, wgpu or the path"), std::string::npos)
      << library.error().message;
}

TEST(Library, FileThatIsNoWebGpuLibraryIsRefused) {
  const Result<Library*> library = Library::open("libm.so.6");
  ASSERT_FALSE(library);
  EXPECT_EQ(library.error().code, ErrorCode::unsupported);
}

TEST(Library, EnvironmentVariableOverridesTheSearch) {
  setenv("WGEMM_DAWN_LIBRARY", "/nowhere/libwebgpu_dawn.so", 1);
  EXPECT_EQ(library_candidates("dawn"), std::vector<std::string>{"/nowhere/libwebgpu_dawn.so"});
  unsetenv("WGEMM_DAWN_LIBRARY");
}

TEST(Library, RequestGoesBeforeTheEnvironment) {
  setenv("WGEMM_WEBGPU", "wgpu", 1);
  EXPECT_EQ(requested_library(""), "wgpu");
  EXPECT_EQ(requested_library("dawn"), "dawn");
  unsetenv("WGEMM_WEBGPU");
  EXPECT_EQ(requested_library(""), "");
}

}  // namespace
}  // namespace wgemm::native
