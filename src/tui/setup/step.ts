import type { EpochMs } from '../../lib/clock.ts';
import { defaultKeyHeader } from '../../service/port.ts';
import {
  allZones,
  masked,
  matchingZones,
  otherAddressId,
  serviceChoiceId,
  serviceChoices,
  zoneChoices,
} from '../../settings/setup/choices.ts';
import type { SetupEffects } from '../../settings/setup/effects.ts';
import type { SetupChoice } from '../../settings/setup/setup-lines.ts';
import type { FieldInput, NamedField } from '../field/field-window.ts';
import { emptyEdit, type TextEdit } from '../field/text-edit.ts';
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

/** The line that is typed in the open step; null where nothing is. */
export function fieldOf(setup: SettingUp): SetupField | null {
  const { openLine, busy, hasLooked, step } = setup;
  if (busy !== null || !hasLooked) return null;
  if (step === 'service' || step === 'notify') return openLine;
  if (step === 'zone') return 'zone';
  if (step !== 'key') return null;
  const id = keyChoicesOf(setup)[keyChoiceIndex(setup)]?.id;
  return id === 'command' ? 'command' : id === 'entered' ? 'key' : null;
}

/** The line under the panes. */
type SetupBar = NamedField & Pick<FieldInput, 'edit'>;

const fieldTexts: Readonly<Record<SetupField, Pick<SetupBar, 'name' | 'placeholder'>>> = {
  url: { name: 'address', placeholder: 'https://host/path' },
  header: { name: 'header', placeholder: defaultKeyHeader },
  key: { name: 'key', placeholder: 'paste it here; it is not shown' },
  command: { name: 'command', placeholder: 'pass show parcels/key' },
  hook: { name: 'command', placeholder: 'notify-send Parcels' },
  zone: { name: 'zone', placeholder: 'Berlin, or New York' },
};

/** What the line under the panes shows while somebody sets up: the line that is typed, or how to answer. A key is only dots. */
export function setupBarText(setup: SettingUp, isCovered: boolean): SetupBar {
  const field = fieldOf(setup);
  if (field === null) {
    const placeholder = doingIn(setup) ?? (setup.step === 'check' ? checkPlaceholder(setup) : choosePlaceholder(setup));
    return { name: 'set up', edit: emptyEdit, placeholder, isFocused: false };
  }
  const edit = setup.fields[field];
  return { ...fieldTexts[field], edit: field === 'key' ? hidden(edit) : edit, isFocused: !isCovered };
}

/** What has to end before anything is answered, as a phrase; null for nothing. */
const doingIn = ({ busy, hasLooked }: SettingUp): string | null =>
  busy ?? (hasLooked ? null : 'Looking at what is set up…');

function choosePlaceholder(setup: SettingUp): string {
  if (setup.step === 'notify') return 'choose with the arrow keys and Space, Enter goes on';
  return setup.step === 'save' && keyOf(setup)?.kind !== 'entered'
    ? 'Enter saves, Tab goes on without saving'
    : 'choose with the arrow keys, Enter takes what is selected';
}

const checkPlaceholder = ({ proof: { proof } }: SettingUp): string => {
  if (proof === null) return 'checking…';
  return proof.works ? 'it works, Enter goes on' : 'see above';
};

const hidden = ({ cursor, text }: TextEdit): TextEdit => ({
  text: masked(text),
  cursor: masked(text.slice(0, cursor)).length,
});
