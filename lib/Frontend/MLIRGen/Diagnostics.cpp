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
  // A function that is inlined twice, or a loop body that is unrolled, makes the same mistake once.
  auto key = std::make_pair(diagnostic.range.begin.getRaw(),
                            static_cast<size_t>(llvm::hash_value(diagnostic.message)));
  if (!generator.reported.insert(key).second)
    return;
  const Frame *frame = generator.frame;
  for (SourceRange call : llvm::reverse(generator.callStack)) {
    if (frame && frame->function)
      diagnostic.notes.push_back({Severity::Note, call,
                                  "in this call of '" + frame->function->name.str() + "'",
                                  {}});
    frame = frame ? frame->caller : nullptr;
  }
  generator.diags.report(std::move(diagnostic));
}

Location Generator::locOf(SourceLoc place) {
  if (!place.isValid())
    return callerLoc ? *callerLoc : Location(UnknownLoc::get(context));
  LineColumn position = sources.getLineColumn(place);
  Location location = FileLineColLoc::get(context, sources.getName(sources.getFile(place)),
                                          position.line, position.column);
  return callerLoc ? Location(CallSiteLoc::get(location, *callerLoc)) : location;
}

} // namespace tilec::frontend
