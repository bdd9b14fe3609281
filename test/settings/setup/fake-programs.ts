import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Fakes of programs that store keys: shell scripts that save their input in a file and record their arguments, so that
 * a test sees what other users could have seen.
 */
export interface FakePrograms {
  /** The folder for `PATH`. */
  readonly folder: string;
  /** The recorded calls, one line each. */
  calls(): Promise<string>;
}

const keep = 'cat > "$STORE"';
const show = 'cat "$STORE"';

/** The behaviour of each program, by its arguments. `$STORE` is its file. */
const scripts: Readonly<Record<string, string>> = {
  'secret-tool': `case "$1" in store) ${keep} ;; lookup) ${show} ;; esac`,
  // Like the real one, it reads its commands from standard input. We save the word after -X, in hexadecimal.
  security: `case "$1" in -i) sed 's/.* -X //' > "$STORE" ;;
    find-generic-password) '${process.execPath}' -p 'Buffer.from(fs.readFileSync(0, "ascii"), "hex").toString()' < "$STORE" ;; esac`,
  pass: `case "$1" in insert) ${keep} ;; show) ${show} ;; esac`,
};

/** Writes all of them, or the named ones, into a folder. `instead` replaces the behaviour of one. */
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
