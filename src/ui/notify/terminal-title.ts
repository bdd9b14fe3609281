import type { Environment } from '../../process/environment.ts';

/** Whether a terminal has a title: consoles have none, and what does not say what it is might print the sequence. */
export function hasTitle({ TERM = '' }: Environment, platform: string): boolean {
  return platform === 'win32' || !['', 'dumb', 'linux'].includes(TERM);
}
