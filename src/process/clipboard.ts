import { type Clock, inTime } from '../service/clock/clock.ts';
import { type ChildRequest, failureOf, type StartChild } from './child.ts';
import { type Environment, isInWsl, isOverSsh, isSet } from './environment.ts';

/** Puts a text on the desktop's clipboard. Answers false where there is none, or where nothing could be put there. */
export type CopyToDesktop = (text: string) => Promise<boolean>;

/** A program that takes the clipboard's new text on its standard input. */
type CopyCommand = ChildRequest['command'];

/** What clipboards are written with. */
interface ClipboardOptions {
  readonly platform: string;
  readonly environment: Environment;
  readonly startChild: StartChild;
  readonly clock: Clock;
}

/** A program that has not taken a text for so long never will, in milliseconds. */
const patienceMs = 2_000;
/** How long it may take to end after SIGTERM, in milliseconds. */
const graceMs = 100;

/**
 * Makes what copies to the desktop's clipboard, with the system's own program for it. Never from a session over SSH: the
 * clipboard there is not the one of whoever looks at the screen.
 */
export function createCopyToDesktop({ platform, environment, startChild, clock }: ClipboardOptions): CopyToDesktop {
  const runs = async (command: CopyCommand, text: string): Promise<boolean> => {
    const input = command[0] === 'clip.exe' ? windowsText(text) : text;
    const child = startChild({ command, input, onOutput: 'dropped', terminal: 'none' });
    const end = await inTime(clock, patienceMs, child.ended);
    if (end !== null) return failureOf(end) === null;
    await child.end(graceMs);
    return false;
  };
  return async (text) => {
    for (const command of copyCommands(platform, environment)) if (await runs(command, text)) return true;
    return false;
  };
}

/** The programs that may hold a clipboard here, each tried when those before it could not. */
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

/** Windows reads what is not ASCII on the code page of its console, unless it comes in UTF-16. */
function windowsText(text: string): string | Uint8Array {
  return /^\p{ASCII}*$/u.test(text) ? text : Buffer.from(text, 'utf16le');
}
