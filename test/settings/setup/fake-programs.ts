import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Stand-ins of programs that keep keys, each a script of the shell that keeps what it is given in a file and notes its
 * arguments, so that a test sees what others on the machine could have seen.
 */
export interface FakePrograms {
  /** The folder for `PATH`. */
  readonly folder: string;
  /** What the programs were called with, a line a call. */
  calls(): Promise<string>;
}

const keep = 'cat > "$STORE"';
const show = 'cat "$STORE"';

/** What each does, by its arguments; `$STORE` is its file. */
const scripts: Readonly<Record<string, string>> = {
  'secret-tool': `case "$1" in store) ${keep} ;; lookup) ${show} ;; esac`,
  // As the real one, it has its commands on standard input; of this one the word behind -X is kept, in hexadecimal.
  security: `case "$1" in -i) sed 's/.* -X //' > "$STORE" ;;
    find-generic-password) '${process.execPath}' -p 'Buffer.from(fs.readFileSync(0, "ascii"), "hex").toString()' < "$STORE" ;; esac`,
  pass: `case "$1" in insert) ${keep} ;; show) ${show} ;; esac`,
};

/** Writes all of them, or those named, into a folder; `instead` replaces what one does. */
export async function fakePrograms(
  home: string,
  names: readonly string[] = Object.keys(scripts),
  instead: Readonly<Record<string, string>> = {},
): Promise<FakePrograms> {
  const folder = join(home, 'programs');
  const log = join(home, 'calls.txt');
  await mkdir(folder, { recursive: true });
  await writeFile(log, '');
  for (const name of names) {
    const path = join(folder, name);
    const body = instead[name] ?? scripts[name] ?? 'exit 1';
    const script = `#!/bin/sh\nSTORE='${join(home, `kept-by-${name}`)}'\necho "${name} $*" >> '${log}'\n${body}\n`;
    await writeFile(path, script);
    await chmod(path, 0o755);
  }
  return { folder, calls: () => readFile(log, 'utf8') };
}
