import type { ChannelName } from '../../process/notifications/channel.ts';
import type { QuietHours } from '../../process/notifications/quiet-hours.ts';
import type { Stage } from '../../service/record/status.ts';
import type { ConfigFile } from './config-schema.ts';
import type { Doubt } from './file-trust.ts';
import { type CommandChoice, chooseCommand } from './split-command.ts';

/** The stages that are notified unless the user says otherwise. */
const defaultStages: readonly Stage[] = ['attention', 'pickup', 'out-for-delivery', 'delivered'];

/** What is notified, when and how. */
export interface NotifySettings {
  readonly stages: readonly Stage[];
  readonly quietHours: QuietHours | null;
  /** None by default: then only the title and the marks of the board say what has changed. */
  readonly channels: readonly ChannelName[];
  /** What is run for each change. */
  readonly command: CommandChoice | { readonly kind: 'none' };
}

/**
 * Settles what is notified.
 * @param folder where `config.json` is
 */
export function notifySettings(
  { stages, quietHours, channels, command }: NonNullable<ConfigFile['notify']>,
  foreignWriter: Doubt | null,
  folder: string,
): NotifySettings {
  return {
    stages: stages ?? defaultStages,
    quietHours: quietHours ?? null,
    channels: [...new Set(channels)],
    command: command === undefined ? { kind: 'none' } : chooseCommand('notify.command', command, foreignWriter, folder),
  };
}
