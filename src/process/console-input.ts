import type { ReadStream } from 'node:tty';

/** How the keyboard of the terminal is opened, whatever standard input is. */
export function consoleInputFile(platform: string): { readonly path: string; readonly flags: 'r' | 'r+' } {
  // Windows changes the mode of a console only for whoever may write to it.
  return platform === 'win32' ? { path: '\\\\.\\CONIN$', flags: 'r+' } : { path: '/dev/tty', flags: 'r' };
}

/** Opens the keyboard of the terminal, also where standard input is a pipe or a file. Throws where there is no terminal. */
export async function openConsoleInput(platform: string): Promise<ReadStream> {
  const [{ openSync }, { ReadStream }] = await Promise.all([import('node:fs'), import('node:tty')]);
  const { flags, path } = consoleInputFile(platform);
  return new ReadStream(openSync(path, flags));
}
