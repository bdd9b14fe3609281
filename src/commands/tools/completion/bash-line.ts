/** A word of a command line as bash reads it. */
interface LineWord {
  /** As typed, with quotes and backslashes. */
  readonly raw: string;
  readonly value: string;
  /** The quote that is open at its end; null for none. */
  readonly open: '"' | "'" | null;
}

/** The end of a line that is being typed. */
export interface TypedLine {
  /** The words of the last command of the line, its name first, but for the one that is being typed. */
  readonly before: readonly string[];
  readonly current: LineWord;
}

const emptyWord: LineWord = { raw: '', value: '', open: null };

/** Pieces of a line: an escaped sign, quotes that may be open still, what ends a command, a redirection, blanks, anything else. */
const pieces =
  /\\(?<escaped>.?)|"(?<double>(?:\\.?|[^"\\])*)(?<doubleEnd>")?|'(?<single>[^']*)(?<singleEnd>')?|(?<commandEnd>[;|&()`\n])|(?<redirection>[<>])|(?<blanks>[^\S\n]+)|[^\\"';|&()`<>\s]+/gs;

/**
 * Takes a line apart as bash does, up to where it is being typed. Nothing in it is expanded. Of several commands
 * (`a; b | c`) the last counts, without variables before it and without redirections.
 */
export function readBashLine(line: string): TypedLine {
  let words: LineWord[] = [];
  let word: LineWord | null = null;
  for (const { 0: raw, groups = {} } of line.matchAll(pieces)) {
    const { blanks, commandEnd, double, doubleEnd, escaped, redirection, single, singleEnd } = groups;
    if ((blanks ?? commandEnd ?? redirection) === undefined) {
      // Between double quotes, a backslash before an ordinary character stays.
      const value = escaped ?? double?.replace(/\\(["\\$`\n])/g, '$1') ?? single ?? raw;
      const quote = double === undefined ? (single === undefined ? null : "'") : '"';
      const before: LineWord = word ?? emptyWord;
      const open = (doubleEnd ?? singleEnd) === undefined ? quote : null;
      word = { raw: before.raw + raw, value: before.value + value, open };
      continue;
    }
    if (word !== null) words.push(word);
    word = null;
    if (redirection !== undefined) words.push({ raw, value: raw, open: null });
    if (commandEnd !== undefined) words = [];
  }
  return { before: commandWords(words), current: word ?? emptyWord };
}

/** Without redirections (`< file`) and the variables before the command. */
function commandWords(words: readonly LineWord[]): readonly string[] {
  const isRedirection = (index: number): boolean => /^[<>]$/.test(words[index]?.raw ?? '');
  const kept = words.filter((_word, index) => !isRedirection(index) && !isRedirection(index - 1));
  const first = kept.findIndex(({ raw }) => !/^[A-Za-z_]\w*=/.test(raw));
  return first === -1 ? [] : kept.slice(first).map(({ value }) => value);
}

/**
 * What bash is to put in place of `replaced`, the end of what was typed of the word, so that the word becomes the one that
 * is offered and nothing in it is expanded; null where that cannot be between the quotes that are open.
 */
export function bashReplacement({ open, raw }: LineWord, replaced: string, offered: string): string | null {
  const head = raw.endsWith(replaced) ? raw.slice(0, raw.length - replaced.length) : '';
  // What stands before it stays as it was typed.
  const kept = readBashLine(head).current.value;
  if (!offered.startsWith(kept)) return null;
  const rest = offered.slice(kept.length);
  if (open === "'") return rest.includes("'") ? null : rest;
  if (open === '"') return /["\\$`!]/.test(rest) ? null : rest;
  return rest.replace(/[\0-\x7f]/g, (character) => (/[\w.,/@%+=:-]/.test(character) ? character : `\\${character}`));
}
