import type { EpochMs } from '../lib/clock.ts';
import type { Environment } from './environment.ts';

export const keptScreenFile = 'last-screen';

/** What is longer is no frame of ours, in characters. */
export const longestKeptScreen = 1024 * 1024;

/** For how long a frame tells its reader something, in milliseconds. */
const longestAgeMs = 7 * 24 * 3_600_000;

/** Changes when a launcher would misread what another version has kept. */
const form = 'parcel-monitor screen 1';

export interface BoardStart {
  readonly arguments: readonly string[];
  readonly environment: Environment;
  readonly version: string;
  readonly columns: number;
  readonly rows: number;
}

interface SeenPath {
  readonly path: string;
  readonly mark: string;
}

export interface Frame {
  readonly rows: readonly string[];
  readonly laterHeader: string;
  readonly keptAt: EpochMs;
  readonly dayEndsAt: EpochMs;
}

export interface LeftScreen {
  readonly frame: Frame;
  readonly columns: number;
  readonly rows: number;
}

export interface KeptScreen extends Frame {
  /** Configuration, folder of the watchlist and the machine's zone: with others the board would look otherwise. */
  readonly seen: readonly SeenPath[];
}

export function mayOpenBoard(given: readonly string[]): boolean {
  const [first = '--'] = given;
  return first.startsWith('-') && !given.some((argument) => elsewhere.has(argument));
}

const elsewhere: ReadonlySet<string> = new Set(['--demo', '--help', '-h', '--version', '-V']);

/** Variables by whose values a board looks otherwise; in a database, the user and the key decide whose parcels it shows. */
const decisive =
  /^(?:PARCEL_MONITOR_.+|PGUSER|USER|LOGNAME|USERNAME|XDG_(?:CONFIG|DATA|STATE|CACHE)_HOME|HOME|NO_COLOR|FORCE_HYPERLINK|TERM|COLORTERM|TERM_PROGRAM|TERM_PROGRAM_VERSION|VTE_VERSION|KONSOLE_VERSION|LANG|LC_.+|TZ)$/;
const key = 'PARCEL_MONITOR_API_KEY';
/** Only whether these variables are set counts: they differ from window to window. */
const present = /^(?:TMUX|STY|WT_SESSION|KITTY_WINDOW_ID|ALACRITTY_WINDOW_ID|DOMTERM)$/;

export function fitOf(start: BoardStart): string {
  const { environment, version, columns, rows } = start;
  const variables = Object.keys(environment)
    .filter((name) => decisive.test(name) || present.test(name))
    .sort()
    .map((name) => {
      const value = environment[name] ?? '';
      if (name === key) return [name, value === '' ? '' : markOfKey(value)];
      return [name, present.test(name) ? value !== '' : value.replace(/:[^?]*@/, '@')];
    });
  return checksum(JSON.stringify([version, columns, rows, start.arguments, variables]));
}

/** The same for the same key, which cannot be found out from it; the sum keeps four bytes of it. */
const markOfKey = (value: string): string =>
  // Not imported: ciphers take as long to load as the rest of the launcher, and hardly any start has a key in its environment.
  process.getBuiltinModule('node:crypto').createHmac('sha256', value).update(form).digest('hex');

export function keptScreenText(screen: KeptScreen, fit: string): string {
  const body = JSON.stringify({ ...screen, fit });
  return `${form} ${checksum(body)}\n${body}\n`;
}

interface KeptScreenCheck {
  readonly fit: string;
  readonly mostRows: number;
  readonly now: EpochMs;
  readonly markOf: (path: string) => string;
}

/**
 * The rows of a file if they fit this start, these files and the last week; else null. Throws a `SyntaxError` for
 * forged content.
 */
export function readKeptScreen(text: string, check: KeptScreenCheck): readonly string[] | null {
  const end = text.indexOf('\n');
  const body = text.slice(end + 1, -1);
  if (text.slice(0, end) !== `${form} ${checksum(body)}`) return null;
  const kept: Partial<KeptScreen & { fit: string }> | null = JSON.parse(body);
  if (kept === null || kept.fit !== check.fit) return null;
  const { dayEndsAt, keptAt, laterHeader, rows, seen } = kept;
  if (typeof keptAt !== 'number' || typeof dayEndsAt !== 'number' || !Array.isArray(rows) || !Array.isArray(seen)) {
    return null;
  }
  const age = check.now - keptAt;
  if (!(age >= 0 && age <= longestAgeMs)) return null;
  if (!seen.every(({ path, mark }: SeenPath) => typeof path === 'string' && check.markOf(path) === mark)) return null;
  const shown = check.now < dayEndsAt ? rows : [laterHeader, ...rows.slice(1)];
  return shown.length > 0 && shown.length <= check.mostRows && shown.every(isHarmless) ? shown : null;
}

const harmlessSequences = /\u001b\[[\d;:]*m|\u001b\]8;[\w=:-]*;(?:https?:\/\/[!-~]+)?(?:\u0007|\u001b\\)/g;
const controls = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/;

const isHarmless = (row: unknown): boolean =>
  typeof row === 'string' && !controls.test(row.replace(harmlessSequences, ''));

const begin = '\u001b[?2026h\u001b[?1049h\u001b[?25l\u001b[?7l\u001b[H';
const end = '\u001b[0m\u001b[?7h\u001b[?2026l';

export function showingSequence(rows: readonly string[]): string {
  return `${begin}${rows.join('\u001b[0m\r\n')}${end}`;
}

/**
 * Detects accidents only. Runs in the launcher before anything is compiled, hence four bytes at a time and no memory.
 */
function checksum(text: string): string {
  const bytes = Buffer.from(text, 'utf8');
  const words = new Int32Array(Math.ceil(bytes.length / 4));
  new Uint8Array(words.buffer).set(bytes);
  let sum = bytes.length;
  for (let index = 0; index < words.length; index += 1) {
    sum = Math.imul(sum ^ (words[index] ?? 0), -0x61c88647);
    sum ^= sum >>> 15;
  }
  return (sum >>> 0).toString(36);
}
