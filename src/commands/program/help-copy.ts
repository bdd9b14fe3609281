/** The help of every command by its name, and of the program under an empty one, for what is no terminal. */
export type HelpTexts = Readonly<Record<string, string>>;

/**
 * The help that a line asks for, where there is a copy of it; null for any other line. To make a help takes longer than
 * to start the program, and it is always the same where no terminal says how wide it may be.
 */
export function copiedHelp(argv: readonly string[], texts: () => HelpTexts | null): string | null {
  const name = helpedBy(argv);
  if (name === null) return null;
  const copies = texts();
  return copies !== null && Object.hasOwn(copies, name) ? (copies[name] ?? null) : null;
}

/** The command whose help is asked for; empty for the program's, null where none is. */
function helpedBy(argv: readonly string[]): string | null {
  const [first = '', second = '', third] = argv;
  if (third !== undefined || argv.length === 0) return null;
  if (argv.length === 1) return isHelpOption(first) || first === 'help' ? '' : null;
  if (first === 'help') return second === '' ? null : second;
  return first !== '' && isHelpOption(second) ? first : null;
}

const isHelpOption = (word: string): boolean => word === '--help' || word === '-h';
