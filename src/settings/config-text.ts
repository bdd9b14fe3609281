import type { Node, ParseError } from 'jsonc-parser';
import { UsageError } from './errors.ts';

/** What a byte order mark looks like in a text that has been decoded. */
const byteOrderMark = '\ufeff';

/** Why a parser gave up, in the words of a person; anything else is named by its place alone. */
const reasons: Readonly<Record<string, string>> = {
  InvalidSymbol: 'this is no value; texts stand in double quotes',
  InvalidNumberFormat: 'this is no number',
  PropertyNameExpected: 'the name of a setting in double quotes is missing',
  ValueExpected: 'a value is missing',
  ColonExpected: 'a colon is missing',
  CommaExpected: 'a comma is missing before this',
  CloseBraceExpected: 'a closing brace } is missing',
  CloseBracketExpected: 'a closing bracket ] is missing',
  EndOfFileExpected: 'there is more after the end',
  UnexpectedEndOfComment: 'a comment does not end',
  UnexpectedEndOfString: 'a text does not end',
  UnexpectedEndOfNumber: 'a number does not end',
  InvalidUnicode: 'an escape sequence is wrong',
  InvalidEscapeCharacter: 'an escape sequence is wrong; a backslash is written twice',
  InvalidCharacter: 'a control character or line break stands in a text',
};

/** Takes the byte order mark off that some editors put before a text. */
function withoutByteOrderMark(content: string): string {
  return content.startsWith(byteOrderMark) ? content.slice(byteOrderMark.length) : content;
}

/**
 * The value of a text that is JSON, with comments and trailing commas where a person wants them. Rejects with a
 * {@link UsageError} that names file, line and column, and never quotes the content, which may hold the API key.
 */
export async function parseConfigText(content: string, path: string): Promise<unknown> {
  const text = withoutByteOrderMark(content);
  assertLength(text, path);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // What the quick parser does not take may still be right with comments. It costs a library, so it is asked second.
    const [{ getNodeValue }, tree] = await Promise.all([import('jsonc-parser'), parseConfigTree(text, path)]);
    return getNodeValue(tree);
  }
  assertDepth(value, path);
  return value;
}

/** No configuration is longer, in UTF-16 units, or deeper than these: what is, was made by something else. */
const longestText = 1024 * 1024;
const deepest = 100;

function assertLength(text: string, path: string): void {
  if (text.length <= longestText) return;
  throw new UsageError(`${path}: the content is longer than a configuration can be (1 MiB); move the file away.`);
}

/** Level by level, since what calls itself for each level runs out of stack. */
function assertDepth(value: unknown, path: string): void {
  let level: readonly unknown[] = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > deepest) throw tooDeep(path);
    level = level.flatMap((one) => (typeof one === 'object' && one !== null ? Object.values(one) : []));
  }
}

/** As {@link assertDepth}: each level of the content is two of the tree, its properties being one. */
function assertTreeDepth(tree: Node, path: string): void {
  let level: readonly Node[] = [tree];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > 2 * deepest) throw tooDeep(path);
    level = level.flatMap(({ children }) => children ?? []);
  }
}

const tooDeep = (path: string, cause?: unknown): UsageError =>
  new UsageError(`${path}: the content is nested too deeply; correct it or move the file away.`, { cause });

/** As {@link parseConfigText}, with the place of every part in the text, which has no byte order mark. */
async function parseConfigTree(text: string, path: string): Promise<Node> {
  const { parseTree, printParseErrorCode } = await import('jsonc-parser');
  const errors: ParseError[] = [];
  let tree: Node | undefined;
  assertLength(text, path);
  try {
    tree = parseTree(text, errors, { allowTrailingComma: true });
  } catch (cause) {
    throw cause instanceof RangeError ? tooDeep(path, cause) : cause;
  }
  const [first] = errors;
  if (first === undefined && tree !== undefined) {
    assertTreeDepth(tree, path);
    return tree;
  }
  const reason = first === undefined ? undefined : reasons[printParseErrorCode(first.error)];
  const complaint = `the content is not valid JSON${reason === undefined ? '' : `: ${reason}`}`;
  throw new UsageError({
    what: `${path}:${placeIn(text, first?.offset ?? 0)}: ${complaint}.`,
    advice: 'Correct it with "parcel-monitor config edit", or move the file away.',
  });
}

/** Line and column of an offset, both from 1. */
function placeIn(text: string, offset: number): string {
  const lines = text.slice(0, offset).split(/\r\n|\r|\n/);
  return `${lines.length}:${(lines.at(-1) ?? '').length + 1}`;
}

/** What becomes of one setting. */
export interface SettingChange {
  /** The names that lead to it, such as `['budget', 'queriesPerDay']`. */
  readonly path: readonly [string, ...string[]];
  /** Any value of JSON; undefined takes the setting out. */
  readonly value: unknown;
}

/** How a text is written. */
interface Form {
  readonly newline: string;
  /** One step of indentation. */
  readonly step: string;
}

/**
 * Changes settings in the text of `config.json` and nothing else of it: comments, order and layout stay. An empty text
 * becomes an object. Rejects with a `UsageError` where the text is not valid JSON with comments.
 */
export async function editConfigText(
  content: string,
  changes: readonly SettingChange[],
  path: string,
): Promise<string> {
  const bare = withoutByteOrderMark(content);
  let text = bare.trim() === '' ? '{}\n' : bare;
  const form = formOf(text);
  for (const { path: names, value } of changes) {
    const tree = await parseConfigTree(text, path);
    text = value === undefined ? without(text, tree, names) : withValue(text, tree, names, value, form);
  }
  return content.slice(0, content.length - bare.length) + text;
}

function formOf(text: string): Form {
  const indented = /[\r\n]([ \t]+)\S/.exec(text)?.[1];
  return { newline: text.includes('\r\n') ? '\r\n' : '\n', step: indented ?? '  ' };
}

/** The properties of an object; none of anything else. */
const propertiesOf = (node: Node | undefined): readonly Node[] =>
  node?.type === 'object' ? (node.children ?? []) : [];

const nameOf = (property: Node): unknown => property.children?.[0]?.value;
const valuePart = (property: Node | undefined): Node | undefined => property?.children?.[1];
const endOf = ({ offset, length }: Node): number => offset + length;

/** Of two settings of one name, the last holds. */
const lastNamed = (object: Node | undefined, name: string): Node | undefined =>
  propertiesOf(object).findLast((property) => nameOf(property) === name);

const replaced = (text: string, from: number, to: number, by: string): string =>
  text.slice(0, from) + by + text.slice(to);

function withValue(
  text: string,
  node: Node,
  [name, ...deeper]: SettingChange['path'],
  value: unknown,
  form: Form,
): string {
  const there = valuePart(lastNamed(node, name));
  const [next, ...rest] = deeper;
  if (next !== undefined && there?.type === 'object') return withValue(text, there, [next, ...rest], value, form);
  const whole = deeper.reduceRight((inner, key) => ({ [key]: inner }), value);
  if (there === undefined) return withProperty(text, node, name, whole, form);
  const layout = isOnOneLine(text, node) ? null : { ...form, indent: indentAt(text, there.offset) };
  return replaced(text, there.offset, endOf(there), written(whole, layout));
}

/** Puts a new setting behind the others of an object, and behind the comments that follow them. */
function withProperty(text: string, object: Node, name: string, value: unknown, form: Form): string {
  const brace = endOf(object) - 1;
  const inside = text.slice(object.offset + 1, brace);
  const behind = object.offset + 1 + inside.trimEnd().length;
  const last = propertiesOf(object).at(-1);
  const comma = last === undefined ? null : commaBehind(text, endOf(last));
  const isInline = isOnOneLine(text, object) && (object.parent !== undefined || last !== undefined);
  const indent = indentAt(text, object.offset);
  const layout = isInline ? null : { ...form, indent: indent + form.step };
  const property = `${JSON.stringify(name)}: ${written(value, layout)}${last !== undefined && comma !== null ? ',' : ''}`;
  const before = isInline ? (last === undefined ? '' : ' ') : form.newline + indent + form.step;
  const after = isInline ? text.slice(behind, brace) : form.newline + indent;
  const grown = replaced(text, behind, brace, before + property + after);
  return last === undefined || comma !== null ? grown : replaced(grown, endOf(last), endOf(last), ',');
}

function without(text: string, tree: Node, names: SettingChange['path']): string {
  let shorter = text;
  const object = names.slice(0, -1).reduce<Node | undefined>((node, name) => valuePart(lastNamed(node, name)), tree);
  const own = propertiesOf(object).filter((property) => nameOf(property) === names.at(-1));
  // An object in which nothing else stands goes with its last setting.
  const isOnly = object?.parent !== undefined && own.length > 0 && own.length === propertiesOf(object).length;
  if (isOnly && !hasComment(text, object)) {
    const [first = '', ...rest] = names.slice(0, -1);
    return without(text, tree, [first, ...rest]);
  }
  // From the last to the first, so that the places of those before stay right.
  for (const property of own.toReversed()) shorter = withoutProperty(shorter, property);
  return shorter;
}

/** Takes out a setting and its comma; a line in which nothing else stands goes with it. */
function withoutProperty(text: string, property: Node): string {
  const siblings = propertiesOf(property.parent);
  const isFirst = siblings[0] === property;
  const comma = commaBehind(text, endOf(property));
  const previous = siblings[siblings.indexOf(property) - 1];
  const commaBefore = comma === null && previous !== undefined ? commaBehind(text, endOf(previous)) : null;
  let shorter = text;
  if (comma !== null) shorter = replaced(shorter, comma, comma + 1, '');
  shorter = withoutPart(shorter, property.offset, endOf(property), isFirst);
  return commaBefore === null ? shorter : replaced(shorter, commaBefore, commaBefore + 1, '');
}

function withoutPart(text: string, from: number, to: number, isFirst: boolean): string {
  const before = /[ \t]*$/.exec(text.slice(0, from))?.[0] ?? '';
  const after = /^[ \t]*/.exec(text.slice(to))?.[0] ?? '';
  const lineEnd = /^(?:\r\n|\r|\n)/.exec(text.slice(to + after.length))?.[0];
  const beginsLine = /(?:^|[\r\n])$/.test(text.slice(0, from - before.length));
  if (beginsLine && lineEnd !== undefined) {
    return replaced(text, from - before.length, to + after.length + lineEnd.length, '');
  }
  // Between others on one line, one of the two spaces goes; a comment behind it keeps its own.
  return beginsLine || isFirst
    ? replaced(text, from, to + after.length, '')
    : replaced(text, from - before.length, to, '');
}

/** Spaces and comments, as they may stand between a value and its comma. */
const betweenTokens = /(?:\s|\/\/[^\r\n]*|\/\*[\s\S]*?\*\/)*/y;

/** Where the comma behind a value is; null where none follows. */
function commaBehind(text: string, end: number): number | null {
  betweenTokens.lastIndex = end;
  const at = end + (betweenTokens.exec(text)?.[0].length ?? 0);
  return text[at] === ',' ? at : null;
}

/** Whether a comment stands in an object beside its settings. */
function hasComment(text: string, object: Node): boolean {
  const parts = propertiesOf(object);
  const around = parts.reduceRight(
    (rest, part) => replaced(rest, part.offset - object.offset, endOf(part) - object.offset, ''),
    text.slice(object.offset, endOf(object)),
  );
  return around.includes('/');
}

const isOnOneLine = (text: string, { offset, length }: Node): boolean =>
  !/[\r\n]/.test(text.slice(offset, offset + length));

/** The blanks with which the line of an offset begins. */
function indentAt(text: string, offset: number): string {
  const line =
    text
      .slice(0, offset)
      .split(/[\r\n]/)
      .at(-1) ?? '';
  return /^[ \t]*/.exec(line)?.[0] ?? '';
}

/** A value as a person would write it: lists of plain values on one line, objects a setting a line unless all is on one. */
function written(value: unknown, layout: (Form & { readonly indent: string }) | null): string {
  if (Array.isArray(value)) return `[${value.map((item) => written(item, null)).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const inner = layout === null ? null : { ...layout, indent: layout.indent + layout.step };
  const entries = Object.entries(value).map(([name, part]) => `${JSON.stringify(name)}: ${written(part, inner)}`);
  if (layout === null || inner === null || entries.length === 0) return `{${entries.join(', ')}}`;
  const { newline, indent } = layout;
  return `{${newline}${entries.map((entry) => inner.indent + entry).join(`,${newline}`)}${newline}${indent}}`;
}
