import type { GlobalOptions } from '../configuration/configuration.ts';

/** A command that is run so often that its usual lines are read without what can read any line. */
export type FrequentCommand = 'board' | 'list' | 'status' | 'add';

/** A line that can mean one thing only. */
export interface PlainLine {
  readonly command: FrequentCommand;
  /** The options that every command takes. */
  readonly globals: GlobalOptions;
  /** What stands behind the command's name and is no option. */
  readonly words: readonly string[];
  /** The command's own options. */
  readonly options: Readonly<Record<string, string | true>>;
}

/** What may stand behind a command's name, by its names on the line and in the program. */
interface Spelling {
  readonly takesWords: boolean;
  readonly switches: Readonly<Record<string, string>>;
  readonly values: Readonly<Record<string, string>>;
}

const spellings: Readonly<Record<Exclude<FrequentCommand, 'board'>, Spelling>> = {
  list: {
    takesWords: false,
    switches: { '--json': 'json', '--all': 'all' },
    values: { '--stage': 'stage', '--filter': 'filter', '--sort': 'sort', '--columns': 'columns' },
  },
  status: { takesWords: false, switches: {}, values: { '--format': 'format' } },
  add: { takesWords: true, switches: {}, values: { '--courier': 'courier', '--label': 'label' } },
};

/**
 * Reads a line that holds nothing but what is known to be right; null for any other, which may still be right. To load
 * what knows every command, its help and its complaints, and to tell it of them, takes as long as a short command.
 */
export function readPlainLine(argv: readonly string[]): PlainLine | null {
  const [command, ...rest] = argv;
  if (command === undefined)
    return { command: 'board', globals: { ascii: false, color: true }, words: [], options: {} };
  if (!isSpelt(command)) return null;
  const { switches, takesWords, values } = spellings[command];
  const words: string[] = [];
  const options: Record<string, string | true> = {};
  let [ascii, color] = [false, true];
  let store: string | undefined;
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    const name = own(switches, word) ?? own(values, word);
    if (word === '--ascii') ascii = true;
    else if (word === '--no-color') color = false;
    else if (word === '--store') {
      const value = rest.shift();
      if (value === undefined || value.startsWith('-') || store !== undefined) return null;
      store = value;
    } else if (name === null) {
      if (!takesWords || word.startsWith('-')) return null;
      words.push(word);
    } else {
      const value = own(values, word) === null ? true : rest.shift();
      // What is missing, looks like an option or stands twice needs rules.
      if (value === undefined || (value !== true && value.startsWith('-')) || Object.hasOwn(options, name)) return null;
      options[name] = value;
    }
  }
  return { command, globals: { ...(store === undefined ? {} : { store }), ascii, color }, words, options };
}

const isSpelt = (command: string): command is keyof typeof spellings => Object.hasOwn(spellings, command);

const own = (names: Readonly<Record<string, string>>, word: string): string | null =>
  Object.hasOwn(names, word) ? (names[word] ?? null) : null;
