import type { ChannelName } from '../../process/notifications/channel.ts';
import { parseQuietHours, type QuietHours } from '../../process/notifications/quiet-hours.ts';
import type { Stage } from '../../service/record/status.ts';
import type { ConfigFile } from './config-schema.ts';
import { type Doubt, notUsed } from './file-trust.ts';

/** The stages that are notified unless the user says otherwise. */
const defaultStages: readonly Stage[] = ['attention', 'pickup', 'out-for-delivery', 'delivered'];

/** The command that is run for each change. */
export type NotifyCommand =
  | { readonly kind: 'none' }
  | { readonly kind: 'command'; readonly command: readonly [string, ...string[]] }
  /** One is named, but by somebody else; `reason` are sentences. */
  | { readonly kind: 'refused'; readonly reason: string };

/** What is notified, when and how. */
export interface NotifySettings {
  readonly stages: readonly Stage[];
  readonly quietHours: QuietHours | null;
  /** None by default: then only the title and the marks of the board say what has changed. */
  readonly channels: readonly ChannelName[];
  readonly command: NotifyCommand;
}

/**
 * Settles what is notified. A command is refused while somebody besides the user can write the file, as any program could
 * be run by naming it.
 */
export function notifySettings(
  { stages, quietHours, channels, command }: NonNullable<ConfigFile['notify']>,
  foreignWriter: Doubt | null,
): NotifySettings {
  return {
    stages: stages ?? defaultStages,
    quietHours: quietHours === undefined ? null : parseQuietHours(quietHours),
    channels: [...new Set(channels)],
    command: commandOf(command, foreignWriter),
  };
}

function commandOf([program, ...words]: readonly string[] = [], foreignWriter: Doubt | null): NotifyCommand {
  if (program === undefined) return { kind: 'none' };
  if (foreignWriter === null) return { kind: 'command', command: [program, ...words] };
  return { kind: 'refused', reason: notUsed('notify.command', 'run', foreignWriter) };
}
