import { webAddressOrNull } from '../lib/clean-text.ts';
import { type Clock, withTimeout } from '../lib/clock.ts';
import { type Environment, isAnySet, isInWsl, isOverSsh, isSet } from './environment.ts';
import { type ChildRequest, childFailure, type StartChild } from './run-program.ts';

export type CopyToDesktop = (text: string) => Promise<boolean>;

type CopyCommand = ChildRequest['command'];

interface DesktopOptions {
  readonly platform: string;
  readonly environment: Environment;
  readonly startChild: StartChild;
  readonly clock: Clock;
}

/** How long a program may take to accept the text, in milliseconds. */
const copyTimeoutMs = 2_000;
const graceMs = 100;

/** Copies nothing over SSH, because the clipboard of that machine is not the user's. */
export function createCopyToDesktop({ platform, environment, startChild, clock }: DesktopOptions): CopyToDesktop {
  const copyWith = async (command: CopyCommand, text: string): Promise<boolean> => {
    const input = command[0] === 'clip.exe' ? windowsText(text) : text;
    const child = startChild({ command, input, onOutput: 'discarded', terminal: 'none' });
    const end = await withTimeout(clock, copyTimeoutMs, child.ended);
    if (end !== null) return childFailure(end) === null;
    await child.end(graceMs);
    return false;
  };
  return async (text) => {
    for (const command of copyCommands(platform, environment)) if (await copyWith(command, text)) return true;
    return false;
  };
}

function copyCommands(platform: string, environment: Environment): readonly CopyCommand[] {
  if (isOverSsh(environment)) return [];
  if (platform === 'darwin') return [['pbcopy']];
  if (platform === 'win32' || isInWsl(environment)) return [['clip.exe']];
  const wayland: readonly CopyCommand[] = isSet(environment['WAYLAND_DISPLAY']) ? [['wl-copy']] : [];
  const x11: readonly CopyCommand[] = isSet(environment['DISPLAY'])
    ? [
        ['xclip', '-selection', 'clipboard'],
        ['xsel', '--clipboard', '--input'],
      ]
    : [];
  return [...wayland, ...x11];
}

/** Windows decodes text with the code page of the console, unless it is UTF-16. */
function windowsText(text: string): string | Uint8Array {
  return /^\p{ASCII}*$/u.test(text) ? text : Buffer.from(text, 'utf16le');
}

/** Resolves with null if the page was opened, or with why it was not, as a sentence fragment. */
export type OpenPage = (address: string) => Promise<string | null>;

/** A program that is still running after this time, in milliseconds, has started successfully. */
const openTimeoutMs = 3_000;

/** Opens nothing over SSH, because the desktop of that machine is not the user's. */
export function createOpenPage({ platform, environment, startChild, clock }: DesktopOptions): OpenPage {
  return async (address) => {
    const page = webAddressOrNull(address);
    if (page === null) return 'only http and https links can be opened';
    if (isOverSsh(environment)) return 'pages cannot be opened over SSH';
    let problem = 'there is no desktop to open it on';
    for (const command of openCommands(platform, environment)) {
      const [program] = command;
      const child = startChild({ command: [...command, page], input: '', onOutput: 'discarded', terminal: 'none' });
      const end = await withTimeout(clock, openTimeoutMs, child.ended);
      const reason = end === null ? null : childFailure(end);
      if (reason === null) return null;
      problem = `${program} ${reason}`;
      const isMissing = end?.kind === 'not-started' && end.error.code === 'ENOENT';
      // explorer.exe exits with code 1 even if it opened the page.
      if (!isMissing) return program === 'explorer.exe' ? null : problem;
    }
    return problem;
  };
}

function openCommands(platform: string, environment: Environment): readonly ChildRequest['command'][] {
  if (platform === 'darwin') return [['open']];
  if (platform === 'win32') return [['rundll32', 'url.dll,FileProtocolHandler']];
  if (isInWsl(environment)) return [['wslview'], ['explorer.exe']];
  // Without a desktop, xdg-open would start a text browser in the terminal.
  return isAnySet(environment, 'DISPLAY', 'WAYLAND_DISPLAY') ? [['xdg-open']] : [];
}
