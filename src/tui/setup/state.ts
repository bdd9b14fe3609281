import type {
  ChannelQuestion,
  CurrentSetup,
  KeySource,
  ServiceChoice,
  SetupNote,
} from '../../settings/setup/board-setup.ts';
import { isKeyFor, isSameService } from '../../settings/setup/choices.ts';
import type { Board, BoardServices } from '../board.ts';
import { showMessage } from '../footer.ts';
import { emptyEdit, type TextEdit } from '../text-edit.ts';
import { type SetupField, type SetupState, type SetupStep, setupSteps, type UiState } from '../ui-state.ts';

export const createSetupState = (step: SetupStep): SetupState => ({
  step,
  done: [],
  active: null,
  notes: [],
  busy: 'Reading the settings…',
  index: null,
  offset: null,
  fields: {
    url: emptyEdit,
    header: emptyEdit,
    key: emptyEdit,
    command: emptyEdit,
    zone: emptyEdit,
    hook: emptyEdit,
    channel: emptyEdit,
  },
  service: null,
  key: null,
  run: 0,
  checkResult: null,
  stores: null,
  channels: null,
  channelSetup: null,
  chosenChannels: null,
  testResults: {},
});

/**
 * Returns the setup that the board starts with: if the user asked for it, or if nothing is set up and the list is
 * empty.
 */
export function initialSetup({
  monitor,
  opensSetup,
  setup,
  setupEffects,
}: Pick<BoardServices, 'monitor' | 'opensSetup' | 'setup' | 'setupEffects'>): SetupState | null {
  if (setupEffects === null) return null;
  const isEmpty = setup.kind === 'not-set-up' && monitor.getState().parcels.length === 0;
  if (opensSetup !== true && !isEmpty) return null;
  // A configured address answers the first question.
  return createSetupState(setup.kind === 'not-set-up' && setup.baseUrl !== null ? 'key' : 'service');
}

export const changeSetup =
  (change: Partial<SetupState> | ((setup: SetupState) => Partial<SetupState>)) =>
  ({ setupState }: UiState): Partial<UiState> =>
    setupState === null
      ? {}
      : { setupState: { ...setupState, ...(typeof change === 'function' ? change(setupState) : change) } };

/** Returns the changes that open a step in its initial state. */
export const openStep = (step: SetupStep, notes: readonly SetupNote[] = []) =>
  ({ step, notes, busy: null, index: null, offset: null }) as const;

export const setField = (field: SetupField, edit: TextEdit) => (setup: SetupState) => ({
  fields: { ...setup.fields, [field]: edit },
});

/** Clears everything that belongs to a service: its key, the command that prints the key, and the check result. */
const clearKey = ({ fields }: SetupState) => ({
  fields: { ...fields, key: emptyEdit, command: emptyEdit },
  key: null,
  checkResult: null,
  stores: null,
});

/**
 * Returns to the key step after the settings were changed elsewhere, because the chosen key may now belong to a
 * different service.
 */
export const askKeyAgain = (active: CurrentSetup) => (setup: SetupState) => ({
  ...clearKey(setup),
  ...openStep('key'),
  active,
});

/**
 * Chooses a service. If it differs from the previous one, drops the previous key, which the new service must not
 * receive.
 */
export const chooseService = (setup: SetupState, service: ServiceChoice): Partial<SetupState> => ({
  ...(isSameService(chosenService(setup), service) ? {} : clearKey(setup)),
  service,
});

export const isSameSetup = (one: CurrentSetup | null, other: CurrentSetup | null): boolean =>
  one?.key?.place === other?.key?.place && isSameService(one?.service ?? null, other?.service ?? null);

/** Returns the service to check and save: the chosen one, or the one already configured. */
export const chosenService = ({ active, service }: Pick<SetupState, 'active' | 'service'>): ServiceChoice | null =>
  service ?? active?.service ?? null;

/** Returns the source of the key: the one chosen here, or the configured key if it belongs to the service. */
export function chosenKey({ key, active, service }: Pick<SetupState, 'key' | 'active' | 'service'>): KeySource | null {
  return key ?? (active?.key == null || !isKeyFor(service, active) ? null : { kind: 'present' });
}

/**
 * Whether the only key belongs to a different service. If the chosen service were saved without its own key, it would
 * receive that one.
 */
export const lacksOwnKey = (setup: SetupState): boolean => setup.active?.key != null && chosenKey(setup) === null;

/** Whether the field still contains the refused key. The next input replaces it. */
export const isRefusedKey = ({ fields, key, checkResult }: SetupState): boolean =>
  checkResult?.faultyStep === 'key' && key?.kind === 'entered' && key.key === fields.key.text.trim();

/** Returns the enabled channels: those chosen here, or the configured ones. */
export const enabledChannels = ({ chosenChannels, active }: SetupState): readonly string[] =>
  chosenChannels ?? active?.channels ?? [];

const channelQuestions = ({ channels }: SetupState, id: string): readonly ChannelQuestion[] =>
  channels?.find((channel) => channel.id === id)?.questions ?? [];

/** Whether setup asks questions about a channel. */
export const hasChannelQuestions = (setup: SetupState, id: string): boolean => channelQuestions(setup, id).length > 0;

/** Returns the open question about a channel, or null. */
export const channelQuestion = (setup: SetupState): ChannelQuestion | null =>
  setup.channelSetup === null ? null : (channelQuestions(setup, setup.channelSetup.id)[setup.channelSetup.at] ?? null);

/** Whether a step applies. For example, there is nothing to check without a service and a key. */
function applies(step: SetupStep, setup: SetupState): boolean {
  const { key, active, service } = setup;
  const hasService = chosenService(setup) !== null;
  switch (step) {
    case 'url':
      return setup.fields.url.text !== '' && service?.kind !== 'profile';
    case 'header':
      return service?.kind === 'base-url';
    case 'key':
      return hasService;
    case 'check':
      return hasService && chosenKey(setup) !== null;
    case 'save': {
      const isDifferentService = service !== null && !isSameService(service, active?.service ?? null);
      const isChanged = (key !== null && key.kind !== 'present') || isDifferentService;
      return hasService && isChanged && !lacksOwnKey(setup);
    }
    default:
      return true;
  }
}

/** Returns the next step, or null for the last. */
export function stepAfter(setup: SetupState): SetupStep | null {
  const mainStep = setup.step === 'hook' || setup.step === 'channel' ? 'notify' : setup.step;
  const laterSteps = setupSteps.slice(setupSteps.indexOf(mainStep) + 1);
  return laterSteps.find((step) => step !== 'url' && step !== 'header' && applies(step, setup)) ?? null;
}

/** Returns the previous step, or null for the first. Skips the check step, which would start a new check. */
export function stepBefore(setup: SetupState): SetupStep | null {
  if (setup.step === 'hook' || setup.step === 'channel') return 'notify';
  const earlierSteps = setupSteps.slice(0, setupSteps.indexOf(setup.step));
  return earlierSteps.findLast((step) => step !== 'check' && applies(step, setup)) ?? null;
}

/** Closes setup and shows the board. */
export function closeSetup({ change, setup, state }: Board): void {
  change({ setupState: null, focus: 'list' });
  const doneText =
    state.parcels.length === 0 ? 'All set. Press a to add a number, ? for help.' : 'All set. Press ? for help.';
  showMessage({ change }, setup.kind === 'ready' ? doneText : 'Press C to set up later.');
}
