import { cp, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** The environment of a user whose folders are all below one folder. */
export function homeEnvironment(home: string): Record<string, string> {
  return {
    PATH: process.env['PATH'] ?? '/usr/bin:/bin',
    LANG: 'C.UTF-8',
    TERM: 'xterm-256color',
    // Ink draws no frames if it detects continuous integration.
    CI: 'false',
    TZ: 'Europe/Berlin',
    HOME: home,
    TMPDIR: join(home, 'tmp'),
    XDG_CONFIG_HOME: join(home, 'config'),
    XDG_DATA_HOME: join(home, 'data'),
    XDG_STATE_HOME: join(home, 'state'),
    XDG_CACHE_HOME: join(home, 'cache'),
  };
}

/**
 * Copies the built program into a folder, and returns the path of the copy: a board loads parts of the program while it
 * runs, and a build that replaces `dist/` would remove them.
 */
export async function copyProgram(cli: string, folder: string): Promise<string> {
  await cp(dirname(cli), join(folder, 'dist'), { recursive: true });
  await writeFile(join(folder, 'package.json'), '{"type":"module"}');
  return join(folder, 'dist', 'cli.js');
}
