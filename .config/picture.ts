/** Writes the README's picture, `.github/board.svg`: the built program's demonstration as a terminal shows it. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TerminalProgram } from '../test/bench/terminal-program.ts';
import { root } from './bundle.ts';
import { terminalPicture } from './terminal-picture.ts';

const size = { columns: 132, rows: 34 };
/** Held by customs half-way between two countries: a timeline in two zones and three scripts. */
const parcel = 'Headphones';
const place = 'Москва, RU';

/** The left pane's row of the selected parcel. */
function selectedRow(screen: string): string {
  return /▌.*?│/.exec(screen)?.[0] ?? '';
}

const home = mkdtempSync(join(tmpdir(), 'parcel-monitor-picture-'));
const program = new TerminalProgram({
  command: process.execPath,
  arguments: [join(root, 'dist', 'cli.js'), '--demo'],
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
  const look = async (isShown: (screen: string) => boolean): Promise<string> => {
    await program.waitForScreen(({ text }) => isShown(text), 'the moment for the picture');
    return (await program.draw()).text;
  };
  let name = selectedRow(await look((screen) => screen.includes(parcel) && screen.includes('updated')));
  while (!name.includes(parcel)) {
    const before = name;
    program.press('j');
    name = selectedRow(await look((screen) => selectedRow(screen) !== before));
  }
  // In two events, and with nothing under way.
  await look((screen) => screen.split(place).length > 2 && screen.includes('updated'));
  const picture = terminalPicture((await program.draw()).terminal, 'parcel-monitor --demo');
  writeFileSync(join(root, '.github', 'board.svg'), picture);
} finally {
  await program.end();
  rmSync(home, { recursive: true, force: true });
}
