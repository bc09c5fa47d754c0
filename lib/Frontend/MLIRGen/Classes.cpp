// Classes of a file: named tuples, data classes, enumerations, aggregates, and their objects.
#include "lib/Frontend/MLIRGen/Classes.h"
#include "lib/Frontend/MLIRGen/ConstEval.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/SaveAndRestore.h"

namespace tilec::frontend {

/// The last part of a dotted name, of what a call calls.
static llvm::StringRef lastName(const ast::Expr *expr) {
  if (auto *call = llvm::dyn_cast<ast::CallExpr>(expr))
    expr = call->callee;
  if (auto *attribute = llvm::dyn_cast<ast::AttributeExpr>(expr))
    return attribute->attr;
  auto *name = llvm::dyn_cast<ast::NameExpr>(expr);
  return name ? name->name : "";
}

bool hasDecorator(llvm::ArrayRef<ast::Expr *> decorators, llvm::StringRef name) {
  return llvm::any_of(decorators, [&](const ast::Expr *expr) { return lastName(expr) == name; });
}

llvm::StringRef nameOfClass(const FileScope &cls) { return cls.cls->name; }

/// The places of the names of fields, which stand with blanks between.
static std::optional<size_t> findPlace(const Value &object, llvm::StringRef name) {
  llvm::SmallVector<llvm::StringRef, 8> names;
  object.getText().split(names, ' ', -1, /*KeepEmpty=*/false);
  auto *found = llvm::find(names, name);
  return found == names.end() ? std::nullopt : std::optional<size_t>(found - names.begin());
}

std::optional<Value> findField(const Value &object, llvm::StringRef name) {
  if (!object.isTuple() && !object.is(Value::Kind::Object))
    return std::nullopt;
  if (std::optional<size_t> place = findPlace(object, name))
    return object.getElements()[*place];
  return std::nullopt;
}

Value withField(const Value &object, llvm::StringRef name, const Value &value) {
  std::vector<Value> elements(object.getElements());
  std::string names = object.getText().str();
  if (std::optional<size_t> place = findPlace(object, name)) {
    elements[*place] = value;
  } else {
    names += (names.empty() ? "" : " ") + name.str();
    elements.push_back(value);
  }
  return Value::object(object.getScope(), names, std::move(elements));
}

FileScope *Generator::findClass(const Value &value) {
  llvm::StringRef path = value.is(Value::Kind::Module) ? value.getText() : "";
  if (!path.consume_front("file:"))
    return nullptr;
  auto found = files.find(path.str());
  return found != files.end() && found->second->cls ? found->second.get() : nullptr;
}

llvm::SmallVector<FileScope *, 2> Generator::getBases(FileScope &cls) {
  llvm::SmallVector<FileScope *, 2> bases;
  Frame moduleFrame;
  moduleFrame.file = cls.outer;
  llvm::SaveAndRestore<Frame *> savedFrame(frame, &moduleFrame);
  for (const ast::Expr *base : cls.cls->bases)
    if (llvm::isa<ast::NameExpr, ast::AttributeExpr>(base))
      if (FileScope *scope = findClass(tryConstant(base)); scope && scope != &cls)
        bases.push_back(scope);
  return bases;
}

ClassKind Generator::getClassKind(FileScope &cls) {
  if (hasDecorator(cls.cls->decorators, "dataclass"))
    return ClassKind::Dataclass;
  ClassKind kind = ClassKind::Plain;
  bool isNumber = false;
  for (const ast::Expr *base : cls.cls->bases) {
    llvm::StringRef name = lastName(base);
    isNumber |= name == "int" || name == "str" || name == "float";
    ClassKind own = llvm::StringSwitch<ClassKind>(name)
                        .Case("NamedTuple", ClassKind::NamedTuple)
                        .Case("Enum", ClassKind::Enum)
                        .Cases({"IntEnum", "StrEnum", "IntFlag", "Flag"}, ClassKind::NumberEnum)
                        .Default(ClassKind::Plain);
    if (own != ClassKind::Plain)
      kind = own;
  }
  if (kind == ClassKind::Enum && isNumber)
    return ClassKind::NumberEnum;
  if (kind != ClassKind::Plain)
    return kind;
  DepthGuard guard(*this);
  if (guard.isTooDeep())
    return kind;
  for (FileScope *base : getBases(cls))
    if (ClassKind inherited = getClassKind(*base); inherited != ClassKind::Plain)
      return inherited;
  return kind;
}

Value Generator::getClassMember(FileScope &cls, llvm::StringRef name) {
  DepthGuard guard(*this);
  if (guard.isTooDeep())
    return Value();
  if (cls.globals.count(name)) {
    ClassKind kind = getClassKind(cls);
    if (kind == ClassKind::Enum || kind == ClassKind::NumberEnum)
      if (std::optional<Value> member = findEnumerator(cls, name))
        return *member;
    return getGlobal(cls, name);
  }
  for (FileScope *base : getBases(cls))
    if (Value value = getClassMember(*base, name); !value.isPoison())
      return value;
  return Value();
}

// --- Enumerations -------------------------------------------------------------

static Value makeEnumerator(FileScope &cls, ClassKind kind, llvm::StringRef name, Value value) {
  if (kind == ClassKind::NumberEnum)
    return value;
  return Value::record(nameOfClass(cls),
                       {Value::string("name"), Value::string(name), Value::string("value"), value});
}

std::vector<Value> Generator::listEnumerators(FileScope &cls) {
  std::vector<Value> members;
  ClassKind kind = getClassKind(cls);
  Int last = 0;
  for (const ast::Stmt *stmt : cls.cls->body) {
    auto *assign = llvm::dyn_cast<ast::AssignStmt>(stmt);
    auto *name = assign ? llvm::dyn_cast<ast::NameExpr>(assign->targets.front()) : nullptr;
    if (!name || name->name.starts_with("_"))
      continue;
    bool isAuto = llvm::isa<ast::CallExpr>(assign->value) && lastName(assign->value) == "auto";
    Value value = isAuto ? Value::integer(last + 1) : getGlobal(cls, name->name);
    last = value.isIntegral() ? value.getInt() : last;
    members.push_back(Value::string(name->name));
    Value member = makeEnumerator(cls, kind, name->name, value);
    // A second name of a value is another name of the first member.
    for (size_t i = 1; i + 1 < members.size() && kind == ClassKind::Enum; i += 2)
      if (value.isSame(*findEntry(members[i], Value::string("value")))) {
        member = members[i];
        break;
      }
    members.push_back(member);
  }
  return members;
}

std::optional<Value> Generator::findEnumerator(FileScope &cls, llvm::StringRef name) {
  std::vector<Value> members = listEnumerators(cls);
  for (size_t i = 0; i < members.size(); i += 2)
    if (members[i].getText() == name)
      return members[i + 1];
  return std::nullopt;
}

// --- Making objects -----------------------------------------------------------

/// Adds the fields of a class as parameters of what makes its objects, those of its bases first.
void Generator::collectFields(FileScope &cls, llvm::SmallVectorImpl<ast::Param *> &fields) {
  DepthGuard guard(*this);
  if (guard.isTooDeep())
    return;
  for (FileScope *base : getBases(cls))
    collectFields(*base, fields);
  for (const ast::Stmt *stmt : cls.cls->body) {
    auto *field = llvm::dyn_cast<ast::AnnAssignStmt>(stmt);
    auto *name = field ? llvm::dyn_cast<ast::NameExpr>(field->target) : nullptr;
    auto *annotation = field ? llvm::dyn_cast<ast::SubscriptExpr>(field->annotation) : nullptr;
    if (!name || lastName(annotation ? annotation->base : field->annotation) == "ClassVar")
      continue;
    llvm::erase_if(fields, [&](const ast::Param *param) { return param->name == name->name; });
    fields.push_back(astContext.make<ast::Param>(field->range, ast::ParamKind::Regular, name->name,
                                                 name->range, nullptr, field->value));
  }
}

Value Generator::runMethod(const Value &method, Value object, CallSite &site) {
  const ast::FunctionDef *function = method.getFunction();
  if (function->params.empty())
    return error(function->nameRange) << "'" << function->name << "' of a class takes no 'self'";
  site.positional.insert(site.positional.begin(), {std::move(object), site.range});
  Frame callee;
  callee.function = function;
  callee.file = method.getScope();
  callee.isConstexpr = true;
  callee.caller = frame;
  if (!bindParameters(function, callee.file, site, callee.scope))
    return Value();
  llvm::SaveAndRestore<std::optional<mlir::Location>> savedCaller(callerLoc, loc());
  llvm::SaveAndRestore<Frame *> savedFrame(frame, &callee);
  callStack.push_back(site.range);
  emitBody(function);
  callStack.pop_back();
  // What became of `self`.
  return callee.scope[function->params.front()->name].value;
}

Value Generator::instantiate(FileScope &cls, CallSite &site) {
  if (!grow(site.range))
    return Value();
  DepthGuard guard(*this);
  if (guard.isTooDeep())
    return error(site.range) << "calls nest too deep";
  ClassKind kind = getClassKind(cls);
  llvm::StringRef name = nameOfClass(cls);
  if (kind == ClassKind::Enum || kind == ClassKind::NumberEnum) {
    std::vector<Value> members = listEnumerators(cls);
    for (size_t i = 1; i < members.size() && site.positional.size() == 1; i += 2) {
      const Value &wanted = site.positional.front().first;
      std::optional<Value> value = findEntry(members[i], Value::string("value"));
      if (members[i].isSame(wanted) || (value && value->isSame(wanted)))
        return members[i];
    }
    return error(site.range) << "'" << name << "' takes the value of one of its members";
  }
  Value object = Value::object(&cls, "", {});
  Value constructor = getClassMember(cls, "__init__");
  if (constructor.is(Value::Kind::Function))
    return runMethod(constructor, object, site);

  // A constructor that takes the fields.
  if (!cls.constructor) {
    llvm::SmallVector<ast::Param *> fields;
    if (kind != ClassKind::Plain)
      collectFields(cls, fields);
    cls.constructor = astContext.make<ast::FunctionDef>(
        cls.cls->range, cls.cls->name, cls.cls->nameRange, llvm::ArrayRef<ast::Expr *>(),
        llvm::ArrayRef<ast::TypeParam *>(), astContext.copyArray<ast::Param *>(fields), nullptr,
        ast::Block(), /*isAsync=*/false);
  }
  Scope locals;
  if (!bindParameters(cls.constructor, &cls, site, locals))
    return Value();
  std::string names;
  std::vector<Value> elements;
  for (const ast::Param *param : cls.constructor->params) {
    names += (names.empty() ? "" : " ") + param->name.str();
    elements.push_back(locals[param->name].value);
    if (elements.back().isPoison())
      return Value();
  }
  if (kind == ClassKind::NamedTuple)
    return Value::namedTuple(&cls, names, std::move(elements));
  object = Value::object(&cls, names, std::move(elements));
  Value after = getClassMember(cls, "__post_init__");
  CallSite none;
  none.range = site.range;
  return after.is(Value::Kind::Function) ? runMethod(after, object, none) : object;
}

Value Generator::makeNamedTupleClass(llvm::StringRef name, llvm::ArrayRef<Value> fields,
                                     llvm::ArrayRef<Value> defaults, SourceRange range) {
  // One call may make several classes, where it stands in a function.
  std::string path =
      frame->file->path + "::" + name.str() + "@" + std::to_string(range.begin.getRaw());
  for (llvm::ArrayRef<Value> part : {fields, defaults})
    path += Value::tuple(std::vector<Value>(part)).toPython(/*repr=*/true);
  Value result = Value::module("file:" + path);
  if (files.count(path))
    return result;
  llvm::SmallVector<ast::Stmt *> body;
  auto &scope = files[path] = std::make_unique<FileScope>();
  for (auto [index, field] : llvm::enumerate(fields)) {
    auto *target = astContext.make<ast::NameExpr>(range, astContext.intern(field.getText()));
    ast::Expr *value = nullptr;
    size_t first = fields.size() - std::min(defaults.size(), fields.size());
    if (index >= first) {
      // A name of the class's scope stands for the value.
      llvm::StringRef hidden = astContext.intern(("<" + field.getText() + ">").str());
      scope->bind(hidden, defaults[index - first], range);
      value = astContext.make<ast::NameExpr>(range, hidden);
    }
    body.push_back(astContext.make<ast::AnnAssignStmt>(range, target, target, value));
  }
  ast::Expr *base = astContext.make<ast::NameExpr>(range, astContext.intern("NamedTuple"));
  scope->cls = astContext.make<ast::ClassDef>(
      range, astContext.intern(name), range, llvm::ArrayRef<ast::Expr *>(),
      llvm::ArrayRef<ast::TypeParam *>(), astContext.copyArray<ast::Expr *>(base),
      llvm::ArrayRef<ast::Keyword *>(), astContext.copyArray<ast::Stmt *>(body));
  scope->path = path;
  scope->outer = frame->file;
  return result;
}

// --- Attributes ---------------------------------------------------------------

Value Generator::getObjectAttribute(const Value &object, llvm::StringRef name, SourceRange range) {
  if (std::optional<Value> field = findField(object, name))
    return *field;
  if (!object.getScope())
    return Value();
  if (name == "__class__")
    return Value::module("file:" + object.getScope()->path);
  if (name == "_fields" && object.isTuple()) {
    llvm::SmallVector<llvm::StringRef, 8> names;
    object.getText().split(names, ' ', -1, /*KeepEmpty=*/false);
    std::vector<Value> fields;
    for (llvm::StringRef field : names)
      fields.push_back(Value::string(field));
    return Value::tuple(std::move(fields));
  }
  Value member = getClassMember(*object.getScope(), name);
  if (!member.is(Value::Kind::Function))
    return member;
  const ast::FunctionDef *function = member.getFunction();
  if (hasDecorator(function->decorators, "staticmethod"))
    return member;
  Value receiver = hasDecorator(function->decorators, "classmethod")
                       ? Value::module("file:" + object.getScope()->path)
                       : object;
  Value method = Value::boundFunction(function, member.getScope(), receiver);
  if (!hasDecorator(function->decorators, "property") &&
      !hasDecorator(function->decorators, "cached_property"))
    return method;
  return call(method, {}, range, range);
}

// --- What modules have of it --------------------------------------------------

/// `namedtuple("Name", "a b")`, or the fields as a list, with `defaults` for the last of them.
static Value emitNamedTuple(Generator &g, const CallArgs &args) {
  std::optional<std::string> name = g.getConstString(args, 0);
  if (!name)
    return Value();
  std::vector<Value> fields;
  if (args[1].isString()) {
    llvm::SmallVector<llvm::StringRef> names;
    std::string text = args[1].getText().str();
    std::replace(text.begin(), text.end(), ',', ' ');
    llvm::SplitString(text, names);
    for (llvm::StringRef one : names)
      fields.push_back(Value::string(one));
  }
  for (const Value &field : args[1].isTuple() ? args[1].getElements() : llvm::ArrayRef<Value>())
    // typing.NamedTuple takes pairs of a name and a type.
    fields.push_back(field.isTuple() && !field.getElements().empty() ? field.getElements().front()
                                                                     : field);
  for (const Value &field : fields)
    if (!field.isString())
      return g.error(args.ranges[1])
             << "the fields of a named tuple are strings, not " << field.describe();
  for (auto [index, field] : llvm::enumerate(fields)) {
    llvm::StringRef text = field.getText();
    bool isName = !text.empty() && !llvm::isDigit(text.front()) && llvm::none_of(text, [](char c) {
      return llvm::isASCII(c) && !llvm::isAlnum(c) && c != '_';
    });
    if (!isName ||
        llvm::is_contained(llvm::map_range(llvm::ArrayRef(fields).take_front(index),
                                           [](const Value &one) { return one.getText(); }),
                           text))
      return g.error(args.ranges[1]) << "the fields of a named tuple are different names, unlike "
                                     << field.toPython(/*repr=*/true);
  }
  llvm::ArrayRef<Value> defaults;
  if (args[2].is(Value::Kind::Dict))
    if (std::optional<Value> given = findEntry(args[2], Value::string("defaults")))
      defaults = given->isTuple() ? given->getElements() : llvm::ArrayRef<Value>();
  return g.makeNamedTupleClass(*name, fields, defaults, args.range);
}

/// `field(default=..., default_factory=...)` of a data class.
static Value emitField(Generator &g, const CallArgs &args) {
  if (args.given[0])
    return args[0];
  if (!args.given[1])
    return g.error(args.range) << "a field that must be given has no value";
  return g.call(args[1], {}, args.range, args.range);
}

/// `replace(object, field=value, ...)` of data classes.
static Value emitReplaceFields(Generator &g, const CallArgs &args) {
  Value object = args[0];
  if (!object.is(Value::Kind::Object))
    return g.error(args.ranges[0])
           << "'replace' takes an object of a data class, not " << object.describe();
  llvm::ArrayRef<Value> changes = args[1].getElements();
  for (size_t i = 0; i + 1 < changes.size(); i += 2) {
    if (!findField(object, changes[i].getText()))
      return g.error(args.range) << object.describe() << " has no field '" << changes[i].getText()
                                 << "'";
    object = withField(object, changes[i].getText(), changes[i + 1]);
  }
  return object;
}

llvm::ArrayRef<Builtin> getClassBuiltins() {
  static constexpr Builtin table[] = {
      {"namedtuple", "collections", "typename field_names **options", emitNamedTuple},
      {"NamedTuple", "typing", "typename fields **options", emitNamedTuple},
      {"field", "dataclasses", "default? default_factory? **options", emitField},
      {"replace", "dataclasses", "obj **changes", emitReplaceFields},
  };
  return table;
}

} // namespace tilec::frontend
