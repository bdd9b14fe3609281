import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Stand-ins of password managers, each a script of the shell that keeps what it is given in a file and notes its
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
  op: `case "$1 $2" in
    "account list") echo '[{"url":"my.1password.com"}]' ;;
    "item list") cat "$STORE.items" 2>/dev/null || echo '[]' ;;
    "item get") echo '{"id":"item1","title":"parcel-monitor (api.example.com)","vault":{"id":"vault1"},"fields":[
      {"id":"notesPlain","type":"STRING","value":"mine"},{"id":"credential","type":"CONCEALED","value":"old"}]}' ;;
    "item create"|"item edit") tr -d '\n' | sed 's/.*"credential"[^}]*"value":"\\([^"]*\\)".*/\\1/' > "$STORE"
      echo '[{"id":"item1","title":"parcel-monitor (api.example.com)","vault":{"id":"vault1","name":"Private"}}]' > "$STORE.items"
      echo '{"id":"item1","vault":{"id":"vault1"}}' ;;
    "read --no-newline") ${show} ;; esac`,
  bw: `case "$2" in
    list) cat "$STORE.items" 2>/dev/null || echo '[]' ;;
    create|edit) base64 -d > "$STORE.given"; sed 's/.*"password":"\\([^"]*\\)".*/\\1/' "$STORE.given" > "$STORE"
      echo '[{"id":"0b9f-17","type":1,"name":"parcel-monitor (api.example.com)","notes":"mine","login":{"username":"api.example.com","password":"old"}}]' > "$STORE.items"
      echo '{"object":"item","id":"0b9f-17"}' ;;
    get) ${show} ;; esac`,
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
