/**
 * Writes the README's picture and animation, `.github/board.svg` and `.github/tour.svg`, from the built program's demo.
 * Given a folder (`npm run picture -- FOLDER`), it writes the board there instead, at six sizes, dark and light.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { countBytesAfter, waitUntilQuiet } from '../bench/timing.ts';
import { type OpenTerminal, openTerminal } from '../support/pseudo-terminal.ts';
import { type DrawnFrame, drawRows, terminalAnimation, terminalPicture, toLightTheme } from './terminal-picture.ts';

const root = join(import.meta.dirname, '../..');
const title = 'parcel-monitor --demo';

interface Size {
  readonly columns: number;
  readonly rows: number;
}

/** Runs the demo with a temporary home folder. */
async function withDemo(size: Size, use: (program: OpenTerminal) => Promise<string>): Promise<string> {
  const home = mkdtempSync(join(tmpdir(), 'parcel-monitor-picture-'));
  const program = openTerminal(process.execPath, [join(root, 'dist', 'cli.js'), '--demo'], {
    size: [size.columns, size.rows],
    environment: {
      PATH: process.env['PATH'] ?? '',
      HOME: home,
      TERM: 'xterm-256color',
      LANG: 'C.UTF-8',
      TZ: 'Europe/Berlin',
    },
  });
  try {
    return await use(program);
  } finally {
    await program.close();
    rmSync(home, { recursive: true, force: true });
  }
}

const waitForScreen = (program: OpenTerminal, isShown: (screen: string) => boolean): Promise<string> =>
  program.waitFor(isShown, 'the next screen');

/** The selected parcel's row in the left pane. */
const selectedRow = (screen: string): string => /▌.*?│/.exec(screen)?.[0] ?? '';

/**
 * Moves to the parcel with this label. The list may be reordered on the way, so this starts again at the top after every
 * thirty key presses.
 */
async function select(program: OpenTerminal, label: string): Promise<void> {
  await waitForScreen(program, (screen) => screen.includes(label));
  for (let press = 0; !selectedRow(program.text()).includes(label); press += 1) {
    program.type(press % 30 === 0 ? 'g' : 'j');
    await setTimeout(200);
  }
}

/** Shows a parcel in customs, halfway between two countries, with a timeline in two zones and three scripts. */
const board = (size: Size): Promise<string> =>
  withDemo(size, async (program) => {
    await select(program, 'Headphones');
    await waitForScreen(program, (screen) => screen.includes('Held by customs'));
    await waitUntilQuiet(program, 500);
    return terminalPicture(program.emulator, title);
  });

/** A key press in the tour. */
interface Step {
  readonly keys: string;
  /** How long the frame after the key press is shown, in milliseconds. */
  readonly shownMs: number;
}

const typeText = (text: string): readonly Step[] => [...text].map((keys) => ({ keys, shownMs: 70 }));

const tourSteps: readonly Step[] = [
  { keys: 'a', shownMs: 700 },
  ...typeText('RB123456785GB @royal-mail "Blue socks"'),
  { keys: '\r', shownMs: 1_800 },
  { keys: '\x1b', shownMs: 600 },
  { keys: 'g', shownMs: 500 },
  { keys: 'j', shownMs: 500 },
  { keys: 'j', shownMs: 700 },
  { keys: '\r', shownMs: 900 },
  ...Array.from({ length: 4 }, () => ({ keys: 'j', shownMs: 250 })),
  { keys: 'h', shownMs: 600 },
  { keys: '/', shownMs: 500 },
  ...typeText('stage:in-transit'),
  { keys: '\r', shownMs: 800 },
  { keys: '*', shownMs: 1_000 },
  { keys: 'x', shownMs: 1_800 },
  { keys: 'u', shownMs: 2_200 },
  { keys: '\x1b', shownMs: 300 },
];

/** Adds a parcel, reads a timeline, archives several parcels together, and undoes that. */
const tour = (): Promise<string> =>
  withDemo({ columns: 110, rows: 26 }, async (program) => {
    await waitForScreen(program, (screen) => screen.includes('DEMO') && !screen.includes('checking'));
    const frames: DrawnFrame[] = [];
    const capture = (shownMs: number): void => {
      frames.push({ rows: drawRows(program.emulator), shownMs });
    };
    capture(1_500);
    for (const { keys, shownMs } of tourSteps) {
      await countBytesAfter(program, keys, 250);
      capture(shownMs);
    }
    return terminalAnimation(program.emulator, title, frames);
  });

const sizes: readonly Size[] = [
  { columns: 60, rows: 20 },
  { columns: 80, rows: 24 },
  { columns: 110, rows: 30 },
  { columns: 120, rows: 40 },
  { columns: 160, rows: 45 },
  { columns: 200, rows: 55 },
];

const [folder] = process.argv.slice(2);
if (folder === undefined) {
  writeFileSync(join(root, '.github', 'board.svg'), await board({ columns: 160, rows: 44 }));
  writeFileSync(join(root, '.github', 'tour.svg'), await tour());
} else {
  mkdirSync(folder, { recursive: true });
  for (const size of sizes) {
    const picture = await board(size);
    const name = join(folder, `board-${size.columns}x${size.rows}`);
    writeFileSync(`${name}-dark.svg`, picture);
    writeFileSync(`${name}-light.svg`, toLightTheme(picture));
  }
}
