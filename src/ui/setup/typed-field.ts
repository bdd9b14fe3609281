import { masked } from '../../board/setup/key-choices.ts';
import { defaultKeyHeader } from '../../service/operations.ts';
import type { FieldInput, NamedField } from '../field/field-window.ts';
import { emptyEdit, type TextEdit } from '../field/text-edit.ts';
import { keyChoiceIndex, keyChoicesOf, keyOf, type SettingUp, type SetupField } from './state.ts';

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
