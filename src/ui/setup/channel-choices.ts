import type { SetupChoice } from '../../board/setup/choice-lines.ts';
import type { ChannelOption } from '../../board/setup/setup-effects.ts';
import type { ChannelTrial, SettingUp } from './state.ts';

/** The channels that are switched on: as chosen, or as set. */
export const chosenChannels = ({ chosenChannels: chosen, now }: SettingUp): readonly string[] =>
  chosen ?? now?.channels ?? [];

/** Channels as choices, each with what came of trying it. */
export const channelChoices = (
  channels: readonly ChannelOption[],
  chosen: readonly string[],
  trials: Readonly<Record<string, ChannelTrial>>,
): readonly SetupChoice[] =>
  channels.map(({ means, name, title, unusable }): SetupChoice => {
    const trial = trials[name];
    return {
      id: name,
      title,
      details: [means],
      unusable,
      isOn: chosen.includes(name),
      ...(trial === undefined ? {} : { outcome: outcomeOf(trial) }),
    };
  });

function outcomeOf(trial: ChannelTrial): NonNullable<SetupChoice['outcome']> {
  if (trial.kind === 'running') return { text: 'Sending…', tone: 'quiet' };
  if (trial.failure !== null) return { text: trial.failure, tone: 'attention' };
  return { text: '✓ Sent. Did you notice it?', tone: 'done' };
}

/** The channels with one switched on or off. */
export const toggled = (chosen: readonly string[], name: string): readonly string[] =>
  chosen.includes(name) ? chosen.filter((one) => one !== name) : [...chosen, name];
