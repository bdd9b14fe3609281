import { changeJson } from '../board/parcel-json.ts';
import type { StageCounts } from '../board/status/status-now.ts';
import type { Clock } from '../lib/clock.ts';
import { type GlyphSet, inGlyphs } from '../lib/paint.ts';
import type { Change } from '../parcels/change.ts';
import { stageTable } from '../parcels/stages.ts';
import type { Stage } from '../service/status.ts';
import type { Environment } from '../system/environment.ts';
import type { RunProgram } from '../system/run-program.ts';
import type { Output } from '../system/standard-streams.ts';
import {
  createBellChannel,
  createCommandChannel,
  createDesktopChannel,
  createTerminalChannel,
  type ProgramChannelOptions,
  type WriteToTerminal,
} from './local-channels.ts';
import { type Channel, type ChannelName, unusableChannel, type WebChannelName } from './notification.ts';
import type { QuietHours } from './silence.ts';
import { createWebChannel, type WebChoice } from './web-channels.ts';

/** The command from the settings, and whether it may run. */
export type CommandChoice =
  | { readonly kind: 'command'; readonly command: readonly [program: string, ...words: string[]] }
  /** Another user could change the setting. `reason` explains how. */
  | { readonly kind: 'refused'; readonly reason: string };

interface NotifySettings {
  readonly stages: readonly Stage[];
  /** Parcels with one of these tags notify on every new status. */
  readonly tags: readonly string[];
  /** Template for the text of a change, or null for the default text. */
  readonly template: string | null;
  readonly quietHours: QuietHours | null;
  /** Empty by default, so that only the terminal title and the marks on the board show changes. */
  readonly channels: readonly ChannelName[];
  readonly command: CommandChoice | { readonly kind: 'none' };
}

export interface ChannelHost {
  readonly configuration: {
    readonly notify: NotifySettings;
    readonly webChannel: (name: WebChannelName) => WebChoice;
  };
  readonly context: Pick<ProgramChannelOptions, 'startChild'> & {
    readonly clock: Clock;
    readonly environment: Environment;
    readonly runProgram: RunProgram;
    readonly platform: string;
  };
  readonly style: { readonly glyphs: 'ascii' | 'symbols' };
}

export interface ChannelEnvironment extends Pick<ProgramChannelOptions, 'output' | 'signal'> {
  /** Null if there is no terminal. */
  readonly terminal: Output | null;
}

/** Returns the first output that is a terminal, or null. */
export const findTerminal = (...outputs: readonly Output[]): Output | null =>
  outputs.find(({ isTerminal }) => isTerminal) ?? null;

export function openChannel(
  { configuration, context, style }: ChannelHost,
  name: ChannelName,
  { terminal, output, signal }: ChannelEnvironment,
): Channel {
  const { clock, environment, platform, runProgram, startChild } = context;
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
        return unusableChannel(
          'command',
          'No command is set. Set one with: parcel-monitor config set notify.command /path/to/script',
        );
      }
      if (command.kind === 'refused') return unusableChannel('command', command.reason);
      return createCommandChannel(programs, command.command, (change) => `${JSON.stringify(changeJson(change))}\n`);
    }
    default:
      return createWebChannel(name, configuration.webChannel(name), { clock, runProgram, signal });
  }
}

/** Sends a test message. Resolves with null, or with a sentence that describes the failure. */
export async function testChannel(channel: Channel, now: number): Promise<string | null> {
  const message = 'This is a test notification.';
  return await channel.send({ title: 'parcel-monitor', lines: [message] }, [testChange(now, message)]);
}

/** Returns a change to a fictional parcel, in the form that a command receives. */
function testChange(now: number, message: string): Change {
  const at = new Date(now).toISOString();
  const [from, to] = [{ stage: 'out-for-delivery' as const }, { stage: 'delivered' as const }];
  const parcel = { parcelId: 'test', trackNo: 'TEST', courierCode: null, label: 'Test' };
  return { version: 1, seq: 1, at, noticedAt: at, change: 'status', ...parcel, from, to, message };
}

/** Stages that are counted in the title: what needs attention or arrives today. */
const titleStages = ['attention', 'out-for-delivery', 'pickup'] as const satisfies readonly Stage[];

/** Returns `! 2 ▲ 1 · 3 new · parcel-monitor`, without zero counts. Never contains external text. */
export function terminalTitle({ found, unread }: StageCounts, glyphs: GlyphSet): string {
  const symbols = titleStages.flatMap((stage) => {
    const count = found.get(stage) ?? 0;
    return count === 0 ? [] : [`${stageTable[stage].symbol} ${count}`];
  });
  const parts = [symbols.join(' '), unread === 0 ? '' : `${unread} new`, 'parcel-monitor'];
  return inGlyphs(parts.filter((part) => part !== '').join(' · '), glyphs);
}

/** Whether a terminal has a title. A console has none, and an unknown terminal might print the sequence. */
export function hasTitle({ TERM = '' }: Environment, platform: string): boolean {
  return platform === 'win32' || !['', 'dumb', 'linux'].includes(TERM);
}
