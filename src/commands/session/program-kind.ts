/** Options of every command that take a value, which may look like the name of a command. */
const withValue: ReadonlySet<string> = new Set([
  '--base-url',
  '--profile',
  '--config',
  '--zone',
  '--store',
  '--webhook',
]);

/** What kind of program these arguments start, as others on the same database are told: `board`, or the name of a command. */
export function programKind(given: readonly string[]): string {
  for (let at = 0; at < given.length; at += 1) {
    const word = given[at] ?? '';
    if (withValue.has(word)) at += 1;
    else if (!word.startsWith('-')) return /^[a-z]{1,20}$/.test(word) ? word : 'command';
  }
  return 'board';
}
