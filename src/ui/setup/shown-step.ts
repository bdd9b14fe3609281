import type { SetupChoice } from '../../board/setup/choice-lines.ts';
import { otherAddressId, serviceChoiceId, serviceChoices } from '../../board/setup/service-choices.ts';
import type { SetupEffects } from '../../board/setup/setup-effects.ts';
import { allZones, matchingZones, zoneChoices } from '../../board/setup/zone-choices.ts';
import type { EpochMs } from '../../service/clock/clock.ts';
import {
  chosenChannelsOf,
  indexAmong,
  keyChoiceIndex,
  keyChoicesOf,
  keyOf,
  type SettingUp,
  type SetupField,
  serviceOf,
} from './state.ts';
import { fieldOf } from './typed-field.ts';

/** What there is to choose from and to type in the open step. */
export interface ShownStep {
  readonly choices: readonly SetupChoice[];
  /** The selected choice; -1 where there is none. */
  readonly index: number;
  readonly selected: SetupChoice | null;
  /** The line that is typed; null where nothing is. */
  readonly field: SetupField | null;
}

/** What the open step shows. */
export function shownStep(
  setup: SettingUp,
  { knownServices }: Pick<SetupEffects, 'knownServices'>,
  at: EpochMs,
): ShownStep {
  const choices = choicesOf(setup, knownServices, at);
  const wanted =
    setup.step === 'key' ? keyChoiceIndex(setup) : (setup.index ?? indexAmong(choices, isSuggested(setup, choices)));
  const index = Math.min(wanted, choices.length - 1);
  const selected = choices[index] ?? null;
  return { choices, index, selected, field: fieldOf(setup) };
}

function choicesOf(setup: SettingUp, known: SetupEffects['knownServices'], at: EpochMs): readonly SetupChoice[] {
  const { openLine, channels, fields, now, step, stores, trials } = setup;
  switch (step) {
    case 'service':
      return openLine === null ? serviceChoices(known, now) : [];
    case 'key':
      return keyChoicesOf(setup);
    case 'save':
      return keyOf(setup)?.kind === 'entered' ? (stores ?? []) : [];
    case 'zone':
      return zoneChoices(matchingZones(fields.zone.text, now, fields.zone.text === '' ? [] : allZones()), now, at);
    case 'notify':
      if (openLine !== null) return [];
      return (channels ?? []).map((channel) => ({
        ...channel,
        isOn: chosenChannelsOf(setup).includes(channel.id),
        outcome: trials[channel.id],
      }));
    case 'check':
    case 'numbers':
      return [];
  }
}

/** Whether a choice is the one that the step suggests; where none is, the first one. */
function isSuggested(setup: SettingUp, choices: readonly SetupChoice[]): (choice: SetupChoice) => boolean {
  const { fields, service, step, taken } = setup;
  if (choices.some(({ id }) => id === taken)) return ({ id }) => id === taken;
  if (step === 'save') return ({ unusable }) => unusable === null;
  // Who has typed an address comes back to it.
  const isTyped = service === null && fields.url.text !== '';
  const suggested = isTyped ? otherAddressId : serviceChoiceId(serviceOf(setup));
  return ({ id }) => step === 'service' && id === suggested;
}
