/** Writes the README's picture, `.github/board.svg`: the built program's demonstration as a terminal shows it. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { TerminalProgram } from '../test/bench/terminal-program.ts';
import { root } from './bundle.ts';
import { terminalPicture } from './terminal-picture.ts';

const size = { columns: 132, rows: 34 };
/** Held by customs half-way between two countries: a timeline in two zones and three scripts. */
const parcel = 'Headphones';
const place = 'Москва, RU';

/** Looks at the screen until it is as wished. */
async function untilShown(program: TerminalProgram, isShown: (screen: string) => boolean): Promise<void> {
  for (let tries = 0; tries < 200; tries += 1) {
    if (isShown(await program.screen())) return;
    await delay(50);
  }
  throw new Error(`The demonstration does not come to the moment for the picture:\n${await program.screen()}`);
}

/** The left pane's row of the selected parcel. */
function selectedRow(screen: string): string {
  return /▌.*?│/.exec(screen)?.[0] ?? '';
}

const home = mkdtempSync(join(tmpdir(), 'parcel-monitor-picture-'));
const program = new TerminalProgram({
  nodeArguments: [join(root, 'dist', 'cli.js'), '--demo'],
  environment: {
    PATH: process.env['PATH'] ?? '',
    HOME: home,
    TERM: 'xterm-256color',
    LANG: 'C.UTF-8',
    TZ: 'Europe/Berlin',
  },
  ...size,
});
try {
  await untilShown(program, (screen) => screen.includes(parcel) && screen.includes('updated'));
  for (let name = selectedRow(await program.screen()); !name.includes(parcel); ) {
    program.press('j');
    await untilShown(program, (screen) => selectedRow(screen) !== name);
    name = selectedRow(await program.screen());
  }
  // In two events, and with nothing under way.
  await untilShown(program, (screen) => screen.split(place).length > 2 && screen.includes('updated'));
  const picture = terminalPicture(await program.draw(), 'parcel-monitor --demo');
  writeFileSync(join(root, '.github', 'board.svg'), picture);
} finally {
  await program.end();
  rmSync(home, { recursive: true, force: true });
}
