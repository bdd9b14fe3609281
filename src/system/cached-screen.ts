import type { EpochMs } from '../lib/clock.ts';
import type { Environment } from './environment.ts';

/** Name of the file in the state folder that holds the last frame of a board. */
export const keptScreenFile = 'last-screen';

/** What is longer is no frame of ours, in characters. */
export const longestKeptScreen = 1024 * 1024;

/** For how long a frame tells its reader something, in milliseconds. */
const longestAgeMs = 7 * 24 * 3_600_000;

/** Changes when a launcher would misread what another version has kept. */
const form = 'parcel-monitor screen 1';

/** What decides how a board looks before it knows any parcel. */
export interface BoardStart {
  /** Without the program's name. */
  readonly arguments: readonly string[];
  readonly environment: Environment;
  /** Of the program. */
  readonly version: string;
  /** The terminal's own size in cells, whatever is drawn of it. */
  readonly columns: number;
  readonly rows: number;
}

/** A file or folder, and what it was when the frame was kept. */
interface SeenPath {
  readonly path: string;
  readonly mark: string;
}

/** A frame that outlasts its board. */
export interface Frame {
  /** Top down, as they are written; the first is the header, which says the time of day at which they stood. */
  readonly rows: readonly string[];
  /** The header for another day, which says the day as well. */
  readonly laterHeader: string;
  readonly keptAt: EpochMs;
  /** When the viewer's day ended. */
  readonly dayEndsAt: EpochMs;
}

/** What a board leaves behind: its last frame, and the terminal's own size in cells. */
export interface LeftScreen {
  readonly frame: Frame;
  readonly columns: number;
  readonly rows: number;
}

/** The last frame of a board, with what it depends on. */
export interface KeptScreen extends Frame {
  /** Configuration, folder of the watchlist and the machine's zone: with others the board would look otherwise. */
  readonly seen: readonly SeenPath[];
}

/**
 * Whether these arguments open the user's own board: options alone, with their values. What else begins with an option is
 * told apart by not being the arguments of any frame that was kept.
 */
export function mayOpenBoard(given: readonly string[]): boolean {
  const [first = '--'] = given;
  return first.startsWith('-') && !given.some((argument) => elsewhere.has(argument));
}

/** Options that open no board, or none of the user's. */
const elsewhere: ReadonlySet<string> = new Set(['--demo', '--help', '-h', '--version', '-V']);

/** Variables by whose values a board looks otherwise; in a database, the user and the key decide whose parcels it shows. */
const decisive =
  /^(?:PARCEL_MONITOR_.+|PGUSER|USER|LOGNAME|USERNAME|XDG_(?:CONFIG|DATA|STATE|CACHE)_HOME|HOME|NO_COLOR|FORCE_HYPERLINK|TERM|COLORTERM|TERM_PROGRAM|TERM_PROGRAM_VERSION|VTE_VERSION|KONSOLE_VERSION|LANG|LC_.+|TZ)$/;
const key = 'PARCEL_MONITOR_API_KEY';
/** Variables of which only counts whether they are set: they differ from window to window. */
const present = /^(?:TMUX|STY|WT_SESSION|KITTY_WINDOW_ID|ALACRITTY_WINDOW_ID|DOMTERM)$/;

/** The same for starts after which a board looks the same. Nothing of them can be read from it. */
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

/** The text of the file that holds a frame; `fit` is that of the start after which it is to be shown. */
export function keptScreenText(screen: KeptScreen, fit: string): string {
  const body = JSON.stringify({ ...screen, fit });
  return `${form} ${checksum(body)}\n${body}\n`;
}

/** Against what a kept frame is held. */
interface KeptScreenCheck {
  readonly fit: string;
  /** The terminal's rows. */
  readonly mostRows: number;
  readonly now: EpochMs;
  /** What a path is now, in the same way as when the frame was kept. */
  readonly markOf: (path: string) => string;
}

/**
 * The rows that a file holds, when they can be shown: whole, of our version, for this start and these files, of the last
 * week, and nothing but text with looks and links; else null. Throws a `SyntaxError` for what was damaged with care.
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

/** Looks of text, and links to pages: all that a row of a board holds beside text. */
const harmlessSequences = /\u001b\[[\d;:]*m|\u001b\]8;[\w=:-]*;(?:https?:\/\/[!-~]+)?(?:\u0007|\u001b\\)/g;
const controls = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/;

const isHarmless = (row: unknown): boolean =>
  typeof row === 'string' && !controls.test(row.replace(harmlessSequences, ''));

const begin = '\u001b[?2026h\u001b[?1049h\u001b[?25l\u001b[?7l\u001b[H';
const end = '\u001b[0m\u001b[?7h\u001b[?2026l';

/** What shows the rows on the alternate screen, in one piece; a row that is too long is cut and not continued. */
export function showingSequence(rows: readonly string[]): string {
  return `${begin}${rows.join('\u001b[0m\r\n')}${end}`;
}

/**
 * Differs when a text was changed by accident. The launcher runs it before anything is compiled, so it takes four bytes at a
 * time, in numbers that need no memory; what withstands intent would have to be loaded.
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
