import type { Node, ParseError } from 'jsonc-parser';
import { UsageError } from './errors.ts';

/** Parser errors in plain words. For any other error, only the position is reported. */
const reasons: Readonly<Record<string, string>> = {
  InvalidSymbol: 'this is not a value; put strings in double quotes',
  InvalidNumberFormat: 'this is not a number',
  PropertyNameExpected: 'a setting name in double quotes is missing',
  ValueExpected: 'a value is missing',
  ColonExpected: 'a colon is missing',
  CommaExpected: 'a comma is missing before this',
  CloseBraceExpected: 'a closing brace } is missing',
  CloseBracketExpected: 'a closing bracket ] is missing',
  EndOfFileExpected: 'there is text after the end',
  UnexpectedEndOfComment: 'a comment is not closed',
  UnexpectedEndOfString: 'a string is not closed',
  UnexpectedEndOfNumber: 'a number is not complete',
  InvalidUnicode: 'an escape sequence is not valid',
  InvalidEscapeCharacter: 'an escape sequence is not valid; write a backslash twice',
  InvalidCharacter: 'a string contains a control character or line break',
};

const withoutByteOrderMark = (content: string): string => content.replace(/^\ufeff/, '');

/**
 * Parses JSON with comments and trailing commas. Rejects with a {@link UsageError} that names file, line and column but
 * never quotes the content, which may contain the API key.
 */
export async function parseConfigText(content: string, path: string): Promise<unknown> {
  const text = withoutByteOrderMark(content);
  assertLength(text, path);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // Text that is not strict JSON may still be valid with comments. Only then is the parser for that loaded.
    const [{ getNodeValue }, tree] = await Promise.all([import('jsonc-parser'), parseConfigTree(text, path)]);
    return getNodeValue(tree);
  }
  assertDepth(value, valuesIn, deepest, path);
  return value;
}

/** Limits on length (in UTF-16 code units) and depth. Anything longer or deeper is not a configuration. */
const maxTextLength = 1024 * 1024;
const deepest = 100;

function assertLength(text: string, path: string): void {
  if (text.length <= maxTextLength) return;
  throw new UsageError(`${path}: the content is longer than 1 MiB; move the file away.`);
}

/**
 * Throws a {@link UsageError} if a value or tree has more levels. Works level by level, because recursion would overflow
 * the stack.
 */
function assertDepth<Part>(whole: Part, partsOf: (part: Part) => readonly Part[], levels: number, path: string): void {
  let level: readonly Part[] = [whole];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > levels) throw tooDeep(path);
    level = level.flatMap(partsOf);
  }
}

const valuesIn = (value: unknown): readonly unknown[] =>
  typeof value === 'object' && value !== null ? Object.values(value) : [];

const tooDeep = (path: string, cause?: unknown): UsageError =>
  new UsageError(`${path}: the content is nested too deeply; correct it or move the file away.`, { cause });

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
    // Properties are nodes too, so each level of content is two levels of the tree.
    assertDepth(tree, ({ children = [] }) => children, 2 * deepest, path);
    return tree;
  }
  const reason = first === undefined ? undefined : reasons[printParseErrorCode(first.error)];
  const problem = `the content is not valid JSON${reason === undefined ? '' : `: ${reason}`}`;
  throw new UsageError({
    what: `${path}:${placeIn(text, first?.offset ?? 0)}: ${problem}.`,
    advice: 'Correct it with "parcel-monitor config edit", or move the file away.',
  });
}

/** Returns line and column of an offset, both starting at 1. */
function placeIn(text: string, offset: number): string {
  const lines = text.slice(0, offset).split(/\r\n|\r|\n/);
  return `${lines.length}:${(lines.at(-1) ?? '').length + 1}`;
}

export interface SettingChange {
  /** Names of settings, and indexes of lists. */
  readonly path: readonly [string, ...(string | number)[]];
  /** Any JSON value. Undefined removes the setting. */
  readonly value: unknown;
}

/**
 * Changes settings in the text of `config.json`. Comments and order stay. An empty file becomes an object. Rejects with
 * a `UsageError` if the text is not valid JSON with comments.
 */
export async function editConfigText(
  content: string,
  changes: readonly SettingChange[],
  path: string,
): Promise<string> {
  const bare = withoutByteOrderMark(content);
  let text = bare.trim() === '' ? '{}\n' : bare;
  for (const { path: names, value } of changes) {
    const tree = await parseConfigTree(text, path);
    text = value === undefined ? await without(text, tree, names) : await withValue(text, tree, names, value);
  }
  return content.slice(0, content.length - bare.length) + text;
}

async function withValue(text: string, tree: Node, names: SettingChange['path'], value: unknown): Promise<string> {
  const { applyEdits, findNodeAtLocation, modify } = await import('jsonc-parser');
  const depth = names.findIndex((_, index) => {
    const above = findNodeAtLocation(tree, names.slice(0, index + 1));
    const container = typeof names[index + 1] === 'number' ? 'array' : 'object';
    return index < names.length - 1 && above !== undefined && above.type !== container;
  });
  const at = depth === -1 ? names : names.slice(0, depth + 1);
  const whole = names.slice(at.length).reduceRight<unknown>((inner, key) => ({ [key]: inner }), value);
  const indent = /[\r\n]([ \t]+)\S/.exec(text)?.[1] ?? '  ';
  const formattingOptions = {
    insertSpaces: !indent.startsWith('\t'),
    tabSize: indent.length,
    eol: text.includes('\r\n') ? '\r\n' : '\n',
    keepLines: true,
  };
  return applyEdits(text, modify(text, [...at], whole, { formattingOptions }));
}

/** Removes a setting. `modify` would also remove the comments next to it. */
async function without(text: string, tree: Node, names: SettingChange['path']): Promise<string> {
  const { findNodeAtLocation, stripComments } = await import('jsonc-parser');
  const found = findNodeAtLocation(tree, [...names]);
  const property = typeof names.at(-1) === 'number' ? found : found?.parent;
  if (property === undefined) return text;
  const object = property.parent;
  const [first, ...above] = names.slice(0, -1);
  // Also removes an object that is now empty.
  if (typeof first === 'string' && object?.children?.length === 1) {
    const whole = text.slice(object.offset, object.offset + object.length);
    if (stripComments(whole) === whole) return without(text, tree, [first, ...above]);
  }
  const end = property.offset + property.length;
  const siblings = object?.children ?? [];
  const previous = siblings[siblings.indexOf(property) - 1];
  const comma = commaAfter(text, end);
  const commaBefore =
    comma === null && previous !== undefined ? commaAfter(text, previous.offset + previous.length) : null;
  const withoutComma = comma === null ? text : text.slice(0, comma) + text.slice(comma + 1);
  const line = /[ \t]*$/.exec(text.slice(0, property.offset))?.[0].length ?? 0;
  const [after = ''] = /^[ \t]*(?:\r\n|\r|\n)?/.exec(withoutComma.slice(end)) ?? [];
  const start = property.offset - line;
  const isLine = /[\r\n]$/.test(text.slice(0, start)) && /[\r\n]$/.test(after);
  const shorter = isLine
    ? withoutComma.slice(0, start) + withoutComma.slice(end + after.length)
    : withoutComma.slice(0, property.offset) + withoutComma.slice(end).replace(/^[ \t]*/, '');
  return commaBefore === null ? shorter : shorter.slice(0, commaBefore) + shorter.slice(commaBefore + 1);
}

/** Whitespace and comments between a value and its comma. */
const betweenTokens = /(?:\s|\/\/[^\r\n]*|\/\*[\s\S]*?\*\/)*/y;

function commaAfter(text: string, end: number): number | null {
  betweenTokens.lastIndex = end;
  const at = end + (betweenTokens.exec(text)?.[0].length ?? 0);
  return text[at] === ',' ? at : null;
}
