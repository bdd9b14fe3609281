import type { Node, ParseError } from 'jsonc-parser';
import { UsageError } from '../session/errors.ts';

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
export function withoutByteOrderMark(content: string): string {
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
export async function parseConfigTree(text: string, path: string): Promise<Node> {
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
  throw new UsageError(
    `${path}:${placeIn(text, first?.offset ?? 0)}: ${complaint}. Correct it with "parcel-monitor config edit", or move the file away.`,
  );
}

/** Line and column of an offset, both from 1. */
function placeIn(text: string, offset: number): string {
  const lines = text.slice(0, offset).split(/\r\n|\r|\n/);
  return `${lines.length}:${(lines.at(-1) ?? '').length + 1}`;
}
