import { globSync, readFileSync } from 'node:fs';
import { parseSync, Visitor } from 'rolldown/utils';

export type TextKind = 'message' | 'comment' | 'document' | 'title';

/** Text that a user or a maintainer reads, and its position. */
export interface SourceText {
  readonly kind: TextKind;
  readonly file: string;
  /** Starts at 1. */
  readonly line: number;
  readonly text: string;
}

/** Sentences and labels have a space between two words, or a capital letter before lower-case ones. */
const isMessage = (text: string): boolean =>
  /[\p{L}}.,:;)"] +[\p{L}{("]/u.test(text) || /^[A-Z][a-z]{2,}[.:?…]?$/.test(text);

/** Files whose strings are SQL, shell script or a licence, not messages. */
const excludedFiles =
  /^(?:\.config\/notices\.ts|src\/store\/postgres\/sql\.ts|src\/commands\/completion\/completion-script\.ts)$/;

const titleFunctions = /^(?:it|test|describe)(?:\.\w+)*$/;

interface Piece {
  readonly start: number;
  readonly text: string;
}

/** Whether a row completes a title with `%s`. Other rows are numbers, filters, addresses and the like. */
const isPhrase = (text: string): boolean => /^[\w', -]+$/.test(text);

/** Returns the text in a TypeScript file: messages, comments, and test titles, with their rows filled in. */
export function textInSource(file: string, source: string): readonly SourceText[] {
  const { comments, program } = parseSync(file, source);
  const messages: Piece[] = [];
  const titles: Piece[] = [];
  const skipped = new Set<number>();
  const nameOf = (start: number, end: number): string => source.slice(start, end).replace(/[(`<][\s\S]*/, '');
  new Visitor({
    ImportDeclaration: ({ source: { start } }) => void skipped.add(start),
    TSLiteralType: ({ literal: { start } }) => void skipped.add(start),
    CallExpression: ({ arguments: [first], callee }) => {
      if (
        (first?.type !== 'Literal' && first?.type !== 'TemplateLiteral') ||
        !titleFunctions.test(nameOf(callee.start, callee.end))
      )
        return;
      const title = source.slice(first.start + 1, first.end - 1);
      titles.push({ start: first.start, text: title });
      const rows = callee.type === 'CallExpression' && title.includes('%s') ? callee.arguments[0] : undefined;
      for (const row of rows?.type === 'ArrayExpression' ? rows.elements : []) {
        const label = row?.type === 'ArrayExpression' ? row.elements[0] : row;
        if (label?.type === 'Literal' && typeof label.value === 'string' && isPhrase(label.value))
          titles.push({ start: label.start, text: title.replace('%s', () => `${label.value}`) });
      }
    },
    Literal: ({ start, value }) => {
      if (typeof value === 'string') messages.push({ start, text: value });
    },
    TemplateLiteral: ({ quasis, expressions, start }) => {
      const text = quasis.map(({ value: { cooked, raw } }, index) => {
        const inserted = expressions[index];
        return `${cooked ?? raw}${inserted === undefined ? '' : `{${source.slice(inserted.start, inserted.end)}}`}`;
      });
      messages.push({ start, text: text.join('') });
    },
    JSXText: ({ start, value }) => void messages.push({ start, text: value.trim() }),
  }).visit(program);
  const lineOf = (start: number): number => source.slice(0, start).split('\n').length;
  const toSourceTexts = (kind: TextKind, pieces: readonly Piece[]) =>
    pieces.map(({ start, text }): SourceText => ({ kind, file, line: lineOf(start), text }));
  const isTest = file.startsWith('test/');
  const shownMessages =
    isTest || excludedFiles.test(file)
      ? []
      : messages.filter(({ start, text }) => !skipped.has(start) && isMessage(text));
  return [
    ...toSourceTexts('message', shownMessages),
    ...toSourceTexts(
      'comment',
      comments.map(({ start, value }) => ({ start, text: value.replace(/\n\s*\* ?/g, ' ').trim() })),
    ),
    ...toSourceTexts('title', titles),
  ];
}

/** Returns the lines of a Markdown document that are not code. */
function textInDocument(file: string, source: string): readonly SourceText[] {
  let isCode = false;
  return source.split('\n').flatMap((text, index) => {
    if (text.startsWith('```')) isCode = !isCode;
    const prose = text.replace(/`[^`]*`/g, '``');
    return isCode || prose.trim() === '' ? [] : [{ kind: 'document' as const, file, line: index + 1, text: prose }];
  });
}

/** Returns all text in the sources, build scripts, documents and test titles. */
export function collectText(root: URL): readonly SourceText[] {
  const read = (file: string): string => readFileSync(new URL(file, root), 'utf8');
  const find = (...patterns: readonly string[]): readonly string[] =>
    globSync(patterns, { cwd: root.pathname }).toSorted((a, b) => a.localeCompare(b));
  return [
    ...find('src/**/*.{ts,tsx}', '.config/**/*.ts', 'test/**/*.{ts,tsx}').flatMap((file) =>
      textInSource(file, read(file)),
    ),
    ...find('README.md', '.github/*.md', 'src/**/*.md', 'test/**/*.md').flatMap((file) =>
      textInDocument(file, read(file)),
    ),
  ];
}

/** `npm run strings` prints the messages, one per line; `-- comment`, `-- title` or `-- document` prints the rest. */
if (import.meta.main) {
  const requestedKind = process.argv[2] ?? 'message';
  for (const { file, kind, line, text } of collectText(new URL('../../', import.meta.url))) {
    if (kind === requestedKind) process.stdout.write(`${file}:${line}\t${text.replaceAll(/\s+/g, ' ')}\n`);
  }
}
