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
    // The text may still be valid JSON with comments. The parser for that is loaded only now.
    const [{ getNodeValue }, tree] = await Promise.all([import('jsonc-parser'), parseConfigTree(text, path)]);
    return getNodeValue(tree);
  }
  assertDepth(value, valuesIn, maxDepth, path);
  return value;
}

/** Limits on length (in UTF-16 code units) and depth. Anything longer or deeper is not a configuration. */
const maxTextLength = 1024 * 1024;
const maxDepth = 100;

function assertLength(text: string, path: string): void {
  if (text.length <= maxTextLength) return;
  throw new UsageError(`${path}: the content is longer than 1 MiB; move the file away.`);
}

/**
 * Throws a {@link UsageError} if a value or tree has more than `max` levels. Works level by level, because recursion
 * would overflow the stack.
 */
function assertDepth<Part>(root: Part, childrenOf: (part: Part) => readonly Part[], max: number, path: string): void {
  let level: readonly Part[] = [root];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > max) throw depthError(path);
    level = level.flatMap(childrenOf);
  }
}

const valuesIn = (value: unknown): readonly unknown[] =>
  typeof value === 'object' && value !== null ? Object.values(value) : [];

const depthError = (path: string, cause?: unknown): UsageError =>
  new UsageError(`${path}: the content is nested too deeply; correct it or move the file away.`, { cause });

async function parseConfigTree(text: string, path: string): Promise<Node> {
  const { parseTree, printParseErrorCode } = await import('jsonc-parser');
  const errors: ParseError[] = [];
  let tree: Node | undefined;
  assertLength(text, path);
  try {
    tree = parseTree(text, errors, { allowTrailingComma: true });
  } catch (cause) {
    throw cause instanceof RangeError ? depthError(path, cause) : cause;
  }
  const [first] = errors;
  if (first === undefined && tree !== undefined) {
    // Properties are nodes too, so each level of content is two levels of the tree.
    assertDepth(tree, ({ children = [] }) => children, 2 * maxDepth, path);
    return tree;
  }
  const reason = first === undefined ? undefined : reasons[printParseErrorCode(first.error)];
  const problem = `the content is not valid JSON${reason === undefined ? '' : `: ${reason}`}`;
  throw new UsageError({
    what: `${path}:${lineAndColumn(text, first?.offset ?? 0)}: ${problem}.`,
    advice: 'Correct it with "parcel-monitor config edit", or move the file away.',
  });
}

/** Returns line and column of an offset, both starting at 1. */
function lineAndColumn(text: string, offset: number): string {
  const lines = text.slice(0, offset).split(/\r\n|\r|\n/);
  return `${lines.length}:${(lines.at(-1) ?? '').length + 1}`;
}

export interface SettingChange {
  /** Setting names and list indexes. */
  readonly path: readonly [string, ...(string | number)[]];
  /** Any JSON value. Undefined removes the setting. */
  readonly value: unknown;
}

/**
 * Changes settings in the text of `config.json`. Keeps comments and order. Treats an empty text as an empty object.
 * Rejects with a `UsageError` if the text is not valid JSON with comments.
 */
export async function editConfigText(
  content: string,
  changes: readonly SettingChange[],
  path: string,
): Promise<string> {
  const body = withoutByteOrderMark(content);
  let text = body.trim() === '' ? '{}\n' : body;
  for (const { path: names, value } of changes) {
    const tree = await parseConfigTree(text, path);
    text = value === undefined ? await removeSetting(text, tree, names) : await setValue(text, tree, names, value);
  }
  return content.slice(0, content.length - body.length) + text;
}

async function setValue(text: string, tree: Node, names: SettingChange['path'], value: unknown): Promise<string> {
  const { applyEdits, findNodeAtLocation, modify } = await import('jsonc-parser');
  // A value that cannot contain the setting, such as a string in place of an object, is replaced.
  const obstacle = names.findIndex((_, index) => {
    const node = findNodeAtLocation(tree, names.slice(0, index + 1));
    const container = typeof names[index + 1] === 'number' ? 'array' : 'object';
    return index < names.length - 1 && node !== undefined && node.type !== container;
  });
  const path = obstacle === -1 ? names : names.slice(0, obstacle + 1);
  const nested = names.slice(path.length).reduceRight<unknown>((inner, key) => ({ [key]: inner }), value);
  const indent = /[\r\n]([ \t]+)\S/.exec(text)?.[1] ?? '  ';
  const formattingOptions = {
    insertSpaces: !indent.startsWith('\t'),
    tabSize: indent.length,
    eol: text.includes('\r\n') ? '\r\n' : '\n',
    keepLines: true,
  };
  return applyEdits(text, modify(text, [...path], nested, { formattingOptions }));
}

/** Removes a setting. `modify` would also remove the comments next to it. */
async function removeSetting(text: string, tree: Node, names: SettingChange['path']): Promise<string> {
  const { findNodeAtLocation, stripComments } = await import('jsonc-parser');
  const node = findNodeAtLocation(tree, [...names]);
  const property = typeof names.at(-1) === 'number' ? node : node?.parent;
  if (property === undefined) return text;
  const object = property.parent;
  const [first, ...parents] = names.slice(0, -1);
  // Also removes an object that is now empty.
  if (typeof first === 'string' && object?.children?.length === 1) {
    const objectText = text.slice(object.offset, object.offset + object.length);
    if (stripComments(objectText) === objectText) return removeSetting(text, tree, [first, ...parents]);
  }
  const end = property.offset + property.length;
  const siblings = object?.children ?? [];
  const previous = siblings[siblings.indexOf(property) - 1];
  const comma = commaAfter(text, end);
  const commaBefore =
    comma === null && previous !== undefined ? commaAfter(text, previous.offset + previous.length) : null;
  const withoutComma = comma === null ? text : text.slice(0, comma) + text.slice(comma + 1);
  const indent = /[ \t]*$/.exec(text.slice(0, property.offset))?.[0].length ?? 0;
  const [lineEnd = ''] = /^[ \t]*(?:\r\n|\r|\n)?/.exec(withoutComma.slice(end)) ?? [];
  const start = property.offset - indent;
  const isWholeLine = /[\r\n]$/.test(text.slice(0, start)) && /[\r\n]$/.test(lineEnd);
  const shorter = isWholeLine
    ? withoutComma.slice(0, start) + withoutComma.slice(end + lineEnd.length)
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
