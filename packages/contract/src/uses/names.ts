import ts from "@trainyard/codegen/compiler";

/** Names of properties, the type that has them, and the location of the names. */
type Named = readonly [names: readonly string[], object: ts.Type, at: ts.Node];

/** The properties that a pattern takes, or that the types of a key or of a literal name. */
export function namedAt(checker: ts.TypeChecker, node: ts.Node): Named[] {
  const typeAt = (at: ts.Node): ts.Type => checker.getTypeAtLocation(at);
  const named = (name: ts.Node, object: ts.Type): Named[] =>
    ts.isComputedPropertyName(name)
      ? [[namesAt(checker, name.expression), object, name]]
      : "text" in name
        ? [[[String(name.text)], object, name]]
        : [];
  if (ts.isBindingElement(node) && ts.isObjectBindingPattern(node.parent) && !node.dotDotDotToken)
    return named(node.propertyName ?? node.name, typeAt(node.parent));
  if ((ts.isPropertyAssignment(node) || ts.isShorthandPropertyAssignment(node)) && isTarget(node.parent))
    return named(node.name, checker.getTypeOfAssignmentPattern(node.parent));
  const names = namesAt(checker, node);
  const found = names.length > 0 ? keysExpectedAt(checker, node) : [];
  const access: Named[] = ts.isElementAccessExpression(node)
    ? [[namesAt(checker, node.argumentExpression), typeAt(node.expression), node.argumentExpression]]
    : ts.isIndexedAccessTypeNode(node)
      ? [[namesAt(checker, node.indexType), typeAt(node.objectType), node.indexType]]
      : [];
  return [...access, ...found.map((object) => [names, object, node] as const)];
}

/** Whether an expression is what an assignment assigns to, or a part of it. */
export function isTarget(node: ts.Node): boolean {
  const { parent } = node;
  if (ts.isBinaryExpression(parent))
    return parent.operatorToken.kind === ts.SyntaxKind.EqualsToken && parent.left === node;
  if (ts.isForOfStatement(parent)) return parent.initializer === node;
  if (ts.isPropertyAssignment(parent)) return parent.initializer === node && isTarget(parent.parent);
  return ts.isArrayLiteralExpression(parent) && isTarget(parent);
}

/** The literals that a node can be. The keys of a type (`keyof Model`), and what is computed from them, name nothing. */
function namesAt(checker: ts.TypeChecker, node: ts.Node): string[] {
  if (!ts.isExpression(node) && !ts.isTypeNode(node)) return [];
  const type = checker.getTypeAtLocation(node);
  const [names, symbol] = [literalsOf(checker, type), checker.getSymbolAtLocation(node)];
  const types = [type, itemOf(checker, type), symbol && checker.getTypeOfSymbol(symbol)];
  const isKeys =
    names.length > 0 && [...keyofsIn(checker, node), ...types.flatMap((one) => keyedBy(checker, one))].length > 0;
  return isKeys ? [] : names;
}

/** The types that have what a node must name: `Model` for `"id"` in `Pick<Model, "id">`. */
function keysExpectedAt(checker: ts.TypeChecker, node: ts.Node): ts.Type[] {
  const { parent } = node;
  // The parts of these are judged themselves.
  if (ts.isUnionTypeNode(node) || ts.isParenthesizedTypeNode(node) || ts.isArrayLiteralExpression(node)) return [];
  if (ts.isConditionalExpression(node) || ts.isBinaryExpression(node) || ts.isSatisfiesExpression(node)) return [];
  if (ts.isParenthesizedExpression(node) || (ts.isAssertionExpression(node) && ts.isConstTypeReference(node.type)))
    return [];
  if (ts.isTypeNode(node)) {
    const reference = ts.findAncestor(parent, (at) => !ts.isUnionTypeNode(at) && !ts.isParenthesizedTypeNode(at));
    return keyedByGiven(checker, reference, checker.getTypeAtLocation(node));
  }
  if (!ts.isExpression(node) || (ts.isPropertyAssignment(parent) && parent.name === node)) return [];
  if (ts.isCaseClause(parent)) return keyedBy(checker, checker.getTypeAtLocation(parent.parent.parent.expression));
  if (ts.isBinaryExpression(parent) && /^[!=]==?$/.test(parent.operatorToken.getText()))
    return keyedBy(checker, checker.getTypeAtLocation(node === parent.left ? parent.right : parent.left));
  const type = ts.isSpreadElement(node) ? checker.getTypeAtLocation(node) : checker.getContextualType(node);
  if (type === undefined) return [];
  const call = ts.findAncestor(parent, ts.isCallOrNewExpression);
  // `new Set(["id"])` takes any literal, but becomes a `Set<keyof Model>`.
  const made = call && literalsOf(checker, type).length > 0 ? checker.getContextualType(call) : undefined;
  const isReference = ((made as ts.ObjectType | undefined)?.objectFlags ?? 0) & ts.ObjectFlags.Reference;
  const items = isReference ? checker.getTypeArguments(made as ts.TypeReference) : [];
  const keys = [itemOf(checker, type) ?? type, ...items].flatMap((one) => keyedBy(checker, one));
  return [...keys, ...keyedByGiven(checker, call, type)];
}

/** The types whose keys a call or a reference takes where it gives `key` for a type parameter, such as `K extends keyof T`. */
function keyedByGiven(checker: ts.TypeChecker, node: ts.Node | undefined, key: ts.Type): ts.Type[] {
  const [parameters, given] = node ? typeParametersOf(checker, node) : [[], []];
  return parameters.flatMap((parameter, index) => {
    const names = literalsOf(checker, given[index]);
    const isGiven = names.length > 0 && literalsOf(checker, key).every((name) => names.includes(name));
    return isGiven ? keyedBy(checker, parameter).map((object) => given[parameters.indexOf(object)] ?? object) : [];
  });
}

/** The type parameters of what a node calls or refers to, and the types that it gives for them. */
function typeParametersOf(checker: ts.TypeChecker, node: ts.Node): [readonly ts.Type[], readonly ts.Type[]] {
  const typeAt = (at: ts.Node): ts.Type => checker.getTypeAtLocation(at);
  if (ts.isCallOrNewExpression(node)) {
    const signature = checker.getResolvedSignature(node);
    const open = [...typeAt(node.expression).getCallSignatures(), ...typeAt(node.expression).getConstructSignatures()];
    const { typeParameters = [] } = open.find(({ declaration }) => declaration === signature?.declaration) ?? {};
    return [typeParameters, (signature && checker.getTypeArgumentsForResolvedSignature(signature)) ?? []];
  }
  const name = ts.isTypeReferenceNode(node)
    ? node.typeName
    : ts.isExpressionWithTypeArguments(node)
      ? node.expression
      : node;
  const [declaration] = declarationsOf(checker, name);
  const parameters = declaration
    ? ts.getEffectiveTypeParameterDeclarations(declaration as ts.DeclarationWithTypeParameters)
    : [];
  return [parameters.map(typeAt), ((node as ts.NodeWithTypeArguments).typeArguments ?? []).map(typeAt)];
}

/** The declarations of what a name stands for, also where it is imported. */
export function declarationsOf(checker: ts.TypeChecker, name: ts.Node): readonly ts.Declaration[] {
  const symbol = checker.getSymbolAtLocation(name);
  return (symbol && original(checker, symbol).declarations) ?? [];
}

/** The types whose keys a type stands for: `Model` for `keyof Model`, for a type parameter that extends it, and for a `Record` of it. */
export function keyedBy(checker: ts.TypeChecker, type: ts.Type | undefined): ts.Type[] {
  if (type === undefined) return [];
  if ((type.flags & ts.TypeFlags.Index) !== 0) return [(type as ts.IndexType).type];
  const parts = type.isUnion() ? [...type.types] : [];
  // The compiler replaces `keyof Model` by its names. It keeps the type as the origin, which it does not declare.
  if ("origin" in type) parts.push(type.origin as ts.Type);
  const base = (type.flags & ts.TypeFlags.TypeParameter) === 0 ? undefined : checker.getBaseConstraintOfType(type);
  const declarations = base || parts.length > 0 ? (type.aliasSymbol ?? type.symbol)?.declarations : [];
  return [
    ...[base && (itemOf(checker, base) ?? base), ...parts, ...(type.aliasTypeArguments ?? [])].flatMap((part) =>
      keyedBy(checker, part),
    ),
    ...(declarations ?? []).flatMap((declaration) => keyofsIn(checker, declaration)),
  ];
}

/** The types whose keys (`keyof`) are written in a node. */
function keyofsIn(checker: ts.TypeChecker, node: ts.Node): ts.Type[] {
  if (ts.isTypeOperatorNode(node) && node.operator === ts.SyntaxKind.KeyOfKeyword)
    return [checker.getTypeAtLocation(node.type)];
  // In JavaScript, the constraint of a type parameter stands beside it.
  const constraint = ts.isTypeParameterDeclaration(node) ? ts.getEffectiveConstraintOfTypeParameter(node) : undefined;
  const found = constraint ? keyofsIn(checker, constraint) : [];
  if (!constraint) ts.forEachChild(node, (child) => void found.push(...keyofsIn(checker, child)));
  return found;
}

/** The literals of a type, or of the items of a list. */
function literalsOf(checker: ts.TypeChecker, type: ts.Type | undefined): string[] {
  const item = type && (itemOf(checker, type) ?? checker.getBaseConstraintOfType(type) ?? type);
  return (item?.isUnion() ? item.types : [item]).flatMap((part) => (part?.isStringLiteral() ? part.value : []));
}

/** The type of the items, if a type is that of a list. */
export function itemOf(checker: ts.TypeChecker, type: ts.Type): ts.Type | undefined {
  if (type.isUnion()) return type.types.map((part) => itemOf(checker, part)).find((part) => part !== undefined);
  return checker.isArrayLikeType(type) ? type.getNumberIndexType() : undefined;
}

/** What an import or a type's name stands for. */
export function original(checker: ts.TypeChecker, symbol: ts.Symbol): ts.Symbol {
  return (symbol.flags & ts.SymbolFlags.Alias) === 0 ? symbol : checker.getAliasedSymbol(symbol);
}

/** The type of what a symbol stands for, without null. */
export function typeOf(checker: ts.TypeChecker, symbol: ts.Symbol | undefined): ts.Type | undefined {
  return symbol && checker.getNonNullableType(checker.getTypeOfSymbol(symbol));
}

/** The type at a path of properties. */
export function memberOf(checker: ts.TypeChecker, type: ts.Type | undefined, ...path: string[]): ts.Type | undefined {
  return path.reduce((at, name) => typeOf(checker, at?.getProperty(name)), type);
}
