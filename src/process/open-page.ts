import { type Clock, inTime } from '../service/clock/clock.ts';
import { webAddressOrNull } from '../service/text/clean-text.ts';
import { type ChildRequest, failureOf, type StartChild } from './child.ts';
import { type Environment, isInWsl, isOneSet, isOverSsh } from './environment.ts';

/**
 * Opens a web page (http or https) outside the terminal. Answers null when it has, else why not: half a sentence for the
 * user, who is shown the address then.
 */
export type OpenPage = (address: string) => Promise<string | null>;

/** What pages are opened with. */
interface OpenPageOptions {
  readonly platform: string;
  readonly environment: Environment;
  readonly startChild: StartChild;
  readonly clock: Clock;
}

/** A program that runs for so long has started well, in milliseconds. */
const patienceMs = 3_000;

/**
 * Makes what opens pages: with the system's own opener, which lives on by itself, apart from the terminal, and never from a
 * session over SSH, whose desktop nobody sees.
 */
export function createOpenPage({ platform, environment, startChild, clock }: OpenPageOptions): OpenPage {
  return async (address) => {
    const page = webAddressOrNull(address);
    if (page === null) return 'only http and https are opened';
    if (isOverSsh(environment)) return 'not opened over SSH';
    let why = 'there is no desktop to open it on';
    for (const opener of openersOf(platform, environment)) {
      const [program] = opener;
      const child = startChild({ command: [...opener, page], input: '', onOutput: 'dropped', terminal: 'none' });
      const end = await inTime(clock, patienceMs, child.ended);
      const reason = end === null ? null : failureOf(end);
      if (reason === null) return null;
      why = `${program} ${reason}`;
      const isMissing = end?.kind === 'not-started' && end.error.code === 'ENOENT';
      // It ends with 1 whether it has opened the page or not.
      if (!isMissing) return program === 'explorer.exe' ? null : why;
    }
    return why;
  };
}

/** The programs that may open a page, each tried when those before it are not there. */
function openersOf(platform: string, environment: Environment): readonly ChildRequest['command'][] {
  if (platform === 'darwin') return [['open']];
  if (platform === 'win32') return [['rundll32', 'url.dll,FileProtocolHandler']];
  if (isInWsl(environment)) return [['wslview'], ['explorer.exe']];
  // Without a desktop, xdg-open would look for a browser that draws in this terminal.
  return isOneSet(environment, 'DISPLAY', 'WAYLAND_DISPLAY') ? [['xdg-open']] : [];
}
