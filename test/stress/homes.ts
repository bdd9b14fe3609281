import { cp, mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** A copy of the built program, and the path of that: boards load parts of it while they run, and a build would pull those away. */
export async function ownProgram(cli: string, folder: string): Promise<string> {
  await cp(dirname(cli), join(folder, 'program', 'dist'), { recursive: true });
  await writeFile(join(folder, 'program', 'package.json'), '{"type":"module"}');
  return join(folder, 'program', 'dist', 'cli.js');
}

/** Makes the folders of a user, and returns the environment of that user's programs. */
export async function makeHome(home: string): Promise<Record<string, string>> {
  const folder = (name: string): string => join(home, name);
  await mkdir(join(folder('config'), 'parcel-monitor'), { recursive: true });
  await mkdir(folder('tmp'));
  const settings = { service: { timeoutSeconds: 2 } };
  await writeFile(join(folder('config'), 'parcel-monitor', 'config.json'), JSON.stringify(settings));
  return {
    PATH: process.env['PATH'] ?? '/usr/bin:/bin',
    LANG: 'C.UTF-8',
    TERM: 'xterm-256color',
    CI: 'false',
    TZ: 'Asia/Kolkata',
    HOME: home,
    TMPDIR: folder('tmp'),
    XDG_CONFIG_HOME: folder('config'),
    XDG_DATA_HOME: folder('data'),
    XDG_STATE_HOME: folder('state'),
    XDG_CACHE_HOME: folder('cache'),
  };
}
