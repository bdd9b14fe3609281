import type { Clock } from '../service/clock/clock.ts';
import { webAddressOrNull } from '../service/text/clean-text.ts';
import { type ChildEnd, failureOf, type StartChild } from './child.ts';
import { type Environment, isInWsl, isOneSet, isOverSsh } from './environment.ts';

/**
 * Opens a web page (http or https) outside the terminal. Answers null when it has, else why not: half a sentence for the
 * user, who is shown the address then.
 */
export type OpenPage = (address: string) => Promise<string | null>;

/** A program with its arguments; no shell reads them. */
export type LaunchCommand = readonly [program: string, ...programArguments: string[]];

/** What became of a program that was launched: it runs on, or has done its work; or how that failed. */
export type Launch = { readonly kind: 'launched' } | { readonly kind: 'missing' | 'failed'; readonly reason: string };

/** What pages are opened with. */
interface OpenPageOptions {
  readonly platform: string;
  readonly environment: Environment;
  /** Starts a program that lives on by itself; it must not get the API key. */
  readonly launch: (command: LaunchCommand) => Promise<Launch>;
}

/** Makes what opens pages: with the system's own opener, and never from a session over SSH, whose desktop nobody sees. */
export function createOpenPage({ platform, environment, launch }: OpenPageOptions): OpenPage {
  return async (address) => {
    const page = webAddressOrNull(address);
    if (page === null) return 'only http and https are opened';
    if (isOverSsh(environment)) return 'not opened over SSH';
    let why = 'there is no desktop to open it on';
    for (const opener of openersOf(platform, environment)) {
      const [program] = opener;
      const launched = await launch([...opener, page]);
      // It ends with 1 whether it has opened the page or not.
      if (launched.kind === 'launched' || (launched.kind === 'failed' && program === 'explorer.exe')) return null;
      why = `${program} ${launched.reason}`;
      if (launched.kind === 'failed') return why;
    }
    return why;
  };
}

/** The programs that may open a page, each tried when those before it are not there. */
function openersOf(platform: string, environment: Environment): readonly LaunchCommand[] {
  if (platform === 'darwin') return [['open']];
  if (platform === 'win32') return [['rundll32', 'url.dll,FileProtocolHandler']];
  if (isInWsl(environment)) return [['wslview'], ['explorer.exe']];
  // Without a desktop, xdg-open would look for a browser that draws in this terminal.
  return isOneSet(environment, 'DISPLAY', 'WAYLAND_DISPLAY') ? [['xdg-open']] : [];
}

/** A program that runs for so long has started well, in milliseconds. */
const patienceMs = 3_000;

/** Makes what starts a program that lives on by itself, apart from the terminal, its output dropped. */
export function createLaunch(startChild: StartChild, clock: Clock): OpenPageOptions['launch'] {
  return async (command) => {
    const child = startChild({ command, input: '', onOutput: 'dropped', terminal: 'none' });
    const started = Promise.withResolvers<Launch>();
    const cancelPatience = clock.setTimer(patienceMs, () => started.resolve({ kind: 'launched' }));
    const launch = await Promise.race([started.promise, child.ended.then(launchOf)]);
    cancelPatience();
    return launch;
  };
}

function launchOf(end: ChildEnd): Launch {
  const reason = failureOf(end);
  if (reason === null) return { kind: 'launched' };
  return { kind: end.kind === 'not-started' && end.error.code === 'ENOENT' ? 'missing' : 'failed', reason };
}
