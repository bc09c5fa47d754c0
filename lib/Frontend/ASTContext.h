// The arena that syntax trees live in.
#ifndef TILEC_LIB_FRONTEND_ASTCONTEXT_H
#define TILEC_LIB_FRONTEND_ASTCONTEXT_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Allocator.h"

#include <algorithm>
#include <memory>
#include <type_traits>
#include <utility>

namespace tilec::ast {

/// Owns the nodes, arrays and strings of syntax trees; all die with it, without destructors being
/// run. Not thread-safe.
class ASTContext {
public:
  ASTContext() = default;
  ASTContext(const ASTContext &) = delete;
  ASTContext &operator=(const ASTContext &) = delete;

  template <typename T, typename... Args>
  T *make(Args &&...args) {
    static_assert(std::is_trivially_destructible_v<T>, "the arena runs no destructors");
    return new (allocator.Allocate<T>()) T(std::forward<Args>(args)...);
  }

  template <typename T>
  llvm::ArrayRef<T> copyArray(llvm::ArrayRef<T> elements) {
    static_assert(std::is_trivially_destructible_v<T>, "the arena runs no destructors");
    if (elements.empty())
      return {};
    T *memory = allocator.Allocate<T>(elements.size());
    std::uninitialized_copy(elements.begin(), elements.end(), memory);
    return {memory, elements.size()};
  }

  llvm::StringRef copyString(llvm::StringRef text) {
    return text.empty() ? llvm::StringRef() : text.copy(allocator);
  }

  /// One copy per distinct text: two equal identifiers have the same data pointer.
  llvm::StringRef intern(llvm::StringRef text) { return identifiers.insert(text).first->getKey(); }

  llvm::BumpPtrAllocator &getAllocator() { return allocator; }

private:
  llvm::BumpPtrAllocator allocator;
  llvm::StringSet<llvm::BumpPtrAllocator> identifiers;
};

} // namespace tilec::ast

#endif // TILEC_LIB_FRONTEND_ASTCONTEXT_H
