import { type Channel, type ChannelName, unusableChannel } from '../../process/notifications/channel.ts';
import {
  createCommandChannel,
  createDesktopChannel,
  type ProgramChannelOptions,
} from '../../process/notifications/program-channels.ts';
import {
  createBellChannel,
  createTerminalChannel,
  type WriteToTerminal,
} from '../../process/notifications/terminal-channels.ts';
import type { Output } from '../../process/standard-output.ts';
import { changeJson } from '../output/change-json.ts';
import type { Session } from '../session/session.ts';

/** Where channels send what is for the terminal, and what the user's command prints. */
export interface ChannelSurroundings extends Pick<ProgramChannelOptions, 'output' | 'signal'> {
  /** Null where no output is a terminal. */
  readonly terminal: Output | null;
}

/** The first of these outputs that is a terminal; null when none is. */
export const terminalAmong = (...outputs: readonly Output[]): Output | null =>
  outputs.find(({ isTerminal }) => isTerminal) ?? null;

/** The channel of a name, as it is on this machine and under these settings. */
export function openChannel(
  { configuration, context, style }: Session,
  name: ChannelName,
  { terminal, output, signal }: ChannelSurroundings,
): Channel {
  const { clock, environment, platform, startChild } = context;
  const write: WriteToTerminal = terminal === null ? null : (sequence) => terminal.write(sequence);
  const programs: ProgramChannelOptions = { startChild, clock, signal, output };
  switch (name) {
    case 'bell':
      return createBellChannel(write);
    case 'terminal':
      return createTerminalChannel(write, environment, style.glyphs === 'ascii');
    case 'desktop':
      return createDesktopChannel(programs, { platform, environment });
    case 'command': {
      const { command } = configuration.notify;
      if (command.kind === 'none') {
        return unusableChannel('command', 'No command is set: name it and its arguments in notify.command.');
      }
      if (command.kind === 'refused') return unusableChannel('command', command.reason);
      return createCommandChannel(programs, command.command, (change) => `${JSON.stringify(changeJson(change))}\n`);
    }
  }
}
