import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Fake programs that store keys: shell scripts that save their input in a file and record their arguments, so that a
 * test sees what other users could see.
 */
export interface FakePrograms {
  /** The folder for `PATH`. */
  readonly folder: string;
  /** The recorded calls, one line each. */
  calls(): Promise<string>;
}

const save = 'cat > "$STORE"';
const show = 'cat "$STORE"';

/** What each program does, depending on its arguments. `$STORE` is its file. */
const scripts: Readonly<Record<string, string>> = {
  'secret-tool': `case "$1" in store) ${save} ;; lookup) ${show} ;; esac`,
  // Like the real one, it reads its commands from standard input. We save the word after -X, in hexadecimal.
  security: `case "$1" in -i) sed 's/.* -X //' > "$STORE" ;;
    find-generic-password) '${process.execPath}' -p 'Buffer.from(fs.readFileSync(0, "ascii"), "hex").toString()' < "$STORE" ;; esac`,
  pass: `case "$1" in insert) ${save} ;; show) ${show} ;; esac`,
};

/** Creates all of them, or those with these names. `instead` replaces the behaviour of some. */
export async function createFakePrograms(
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
