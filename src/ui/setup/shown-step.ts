import type { SetupChoice } from '../../board/setup/choice-lines.ts';
import { firstStoreChoice, storeChoices } from '../../board/setup/key-choices.ts';
import { serviceChoices } from '../../board/setup/service-choices.ts';
import type { SetupEffects } from '../../board/setup/setup-effects.ts';
import { allZones, matchingZones, zoneChoices } from '../../board/setup/zone-choices.ts';
import type { EpochMs } from '../../service/clock/clock.ts';
import { channelChoices, chosenChannels } from './channel-choices.ts';
import { keyChoiceIndex, keyChoicesOf, keyOf, type SettingUp, type SetupField, suggestedService } from './state.ts';
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
  const wanted = setup.index ?? suggestedIndex(setup, knownServices);
  const index = Math.min(wanted, choices.length - 1);
  const selected = choices[index] ?? null;
  return { choices, index, selected, field: fieldOf(setup) };
}

function choicesOf(setup: SettingUp, known: SetupEffects['knownServices'], at: EpochMs): readonly SetupChoice[] {
  const { addressField, fields, now, step, stores } = setup;
  switch (step) {
    case 'service':
      return addressField === null ? serviceChoices(known, now) : [];
    case 'key':
      return keyChoicesOf(setup);
    case 'save':
      return keyOf(setup)?.kind === 'entered' ? storeChoices(stores ?? []) : [];
    case 'zone':
      return zoneChoices(matchingZones(fields.zone.text, now, fields.zone.text === '' ? [] : allZones()), now, at);
    case 'notify':
      return channelChoices(setup.channels ?? [], chosenChannels(setup), setup.trials);
    case 'check':
    case 'numbers':
      return [];
  }
}

function suggestedIndex(setup: SettingUp, known: SetupEffects['knownServices']): number {
  const { now, step, stores } = setup;
  if (step === 'key') return keyChoiceIndex(setup);
  // Who has typed an address comes back to it.
  if (step === 'service' && setup.service === null && setup.fields.url.text !== '') return known.length;
  if (step === 'service') return suggestedService(known, now);
  if (step === 'save') return firstStoreChoice(stores ?? []);
  return 0;
}
