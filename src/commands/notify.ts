import { printableText } from '../lib/clean-text.ts';
import { findTerminal, openChannel, testChannel } from '../notify/channels.ts';
import { localChannelNames } from '../notify/notification.ts';
import { isQuiet, quietHoursText } from '../notify/silence.ts';
import { UsageError } from '../settings/errors.ts';
import { openViewMemory } from '../settings/session/open-stores.ts';
import { printJson, printNote } from '../settings/session/output.ts';
import { type Session, zoneOf } from '../settings/session/session.ts';
import { type ExitCode, exitCode } from '../system/exit.ts';
import type { NotifyJson } from './published-schemas.ts';
import type { JsonOption } from './results.ts';

interface NotifyOptions extends JsonOption {
  readonly test?: boolean;
}

/** Ignores muting and quiet hours. Returns 1 if a configured channel failed. */
export async function runNotify(session: Session, { json = false, test }: NotifyOptions): Promise<ExitCode> {
  if (test !== true)
    throw new UsageError('"notify" requires --test. The board and "watch --notify" send the actual notifications.');
  const { configuration, context } = session;
  const { channels: configured, command } = configuration.notify;
  if (configured.length === 0) printNote(context, 'notify.channels is empty, so all local channels are tested.');
  const names =
    configured.length > 0
      ? configured
      : localChannelNames.filter((name) => name !== 'command' || command.kind !== 'none');
  const terminal = findTerminal(context.stderr, context.stdout);
  const results: NotifyJson['channels'][number][] = [];
  for (const name of names) {
    const channel = openChannel(session, name, { terminal, output: null, signal: context.signal });
    const failure = await testChannel(channel, context.clock.now());
    const row = { name, sent: failure === null, message: failure ?? `sent with ${channel.mechanism}` };
    results.push(row);
    const line = `${row.sent ? 'ok  ' : 'fail'}  ${name.padEnd(8)}  ${row.message}\n`;
    if (!json) context.stdout.write(printableText(line));
  }
  if (json) printJson<NotifyJson>(context, { version: 1, channels: results });
  await reportSilence(session);
  return results.some(({ sent }) => !sent) && configured.length > 0 ? exitCode.failed : exitCode.done;
}

async function reportSilence(session: Session): Promise<void> {
  const { configuration, context } = session;
  const { quietHours } = configuration.notify;
  if (quietHours !== null && isQuiet(quietHours, context.clock.now(), zoneOf(session))) {
    printNote(context, `Notifications are held back until quiet hours end (${quietHoursText(quietHours)}).`);
  }
  if ((await openViewMemory(session).load()).isSilent) {
    printNote(context, 'Notifications are muted. Press N on the board to unmute them.');
  }
}
