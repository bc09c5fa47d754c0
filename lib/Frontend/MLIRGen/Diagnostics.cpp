// Errors of the generator, and the places of operations.
#include "lib/Frontend/MLIRGen/Generator.h"

#include "mlir/IR/Location.h"
#include "llvm/ADT/Hashing.h"

using namespace mlir;

namespace tilec::frontend {

ErrorBuilder::ErrorBuilder(Generator &generator, SourceRange range) : generator(generator) {
  diagnostic.range = range;
}

ErrorBuilder::~ErrorBuilder() {
  if (generator.isQuiet()) {
    ++generator.quietErrors;
    return;
  }
  // What the compiler's own text does not take is a mistake of the call that led there.
  const Frame *frame = generator.frame;
  size_t calls = generator.callStack.size();
  llvm::StringRef called;
  for (; calls && frame && frame->isPrelude() && frame->function; frame = frame->caller) {
    diagnostic.range = generator.callStack[--calls];
    called = frame->function->name;
  }
  if (!called.empty()) {
    llvm::StringRef message = diagnostic.message;
    message.consume_front("static assertion does not hold: ");
    diagnostic.message = ("'" + called + "': " + message).str();
    diagnostic.notes.clear();
  }
  // A function that is inlined twice, or a loop body that is unrolled, makes the same mistake once.
  auto key = std::make_pair(diagnostic.range.begin.getRaw(),
                            static_cast<size_t>(llvm::hash_value(diagnostic.message)));
  if (!generator.reported.insert(key).second)
    return;
  // The calls that led here, the innermost first; of a long chain only its ends.
  constexpr size_t kShown = 4;
  llvm::ArrayRef<SourceRange> stack = llvm::ArrayRef(generator.callStack).take_front(calls);
  for (auto [index, call] : llvm::enumerate(llvm::reverse(stack))) {
    bool isShown = calls <= kShown || index < kShown - 1 || index == calls - 1;
    if (isShown && frame && frame->function)
      diagnostic.notes.push_back(
          {Severity::Note, call, "in this call of '" + frame->function->name.str() + "'", {}});
    else if (index == kShown - 1)
      diagnostic.notes.push_back(
          {Severity::Note, {}, "in " + std::to_string(calls - kShown) + " calls more", {}});
    frame = frame ? frame->caller : nullptr;
  }
  generator.diags.report(std::move(diagnostic));
}

Location Generator::locOf(SourceLoc place) {
  // Operations of the compiler's own text stand where it was called.
  if (!place.isValid() || (frame && frame->isPrelude() && callerLoc))
    return callerLoc ? *callerLoc : Location(UnknownLoc::get(context));
  LineColumn position = sources.getLineColumn(place);
  Location location = FileLineColLoc::get(context, sources.getName(sources.getFile(place)),
                                          position.line, position.column);
  return callerLoc ? Location(CallSiteLoc::get(location, *callerLoc)) : location;
}

} // namespace tilec::frontend
