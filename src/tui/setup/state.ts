import type { EpochMs } from '../../lib/clock.ts';
import type { MonitorState } from '../../polling/state.ts';
import { isKeyOf, isSameService, isSetService, keyChoices } from '../../settings/setup/choices.ts';
import {
  checksOf,
  type KeySource,
  type Proof,
  type ProofCheck,
  type ProofRequest,
  type ServiceChoice,
  type SetupNow,
} from '../../settings/setup/effects.ts';
import type { SetupChoice, SetupNote } from '../../settings/setup/setup-lines.ts';
import { emptyEdit, type TextEdit } from '../field/text-edit.ts';
import type { FooterState } from '../footer/messages.ts';
import type { HelpState, OverlayState } from '../help/keys.ts';
import type { Change } from '../keys/binding.ts';
import type { Scrolled } from '../keys/movement.ts';
import type { FocusState } from '../layout.ts';
import type { BoardServices } from '../services.ts';
import type { Settled, SetupStep } from './steps.ts';

/** The name of a line that is typed. */
export type SetupField = 'url' | 'header' | 'key' | 'command' | 'zone' | 'hook';

/** The proof that runs or has run. */
interface RunningProof {
  /** Counts the tries: another number begins another one. */
  readonly run: number;
  readonly checks: readonly ProofCheck[];
  /** Null while it runs. */
  readonly proof: Proof | null;
}

const unbegunProof: RunningProof = { run: 0, checks: checksOf({}, 'waiting'), proof: null };

/** A question that was left for another one, with what was selected in it. */
export interface LeftQuestion extends Pick<SettingUp, 'step' | 'openLine'> {
  /** Null where there was nothing to choose. */
  readonly chosen: string | null;
}

/** The open conversation. */
export interface SettingUp {
  readonly step: SetupStep;
  /** Steps that were answered. */
  readonly done: readonly SetupStep[];
  /** The questions before the open one, as they were shown: the way back. */
  readonly left: readonly LeftQuestion[];
  /** Whether it has been looked what is set, or tried to: nothing is answered before. */
  readonly hasLooked: boolean;
  /** Null until it is known. */
  readonly now: SetupNow | null;
  readonly notes: readonly SetupNote[];
  /** What is being done, as a phrase: nothing else can be chosen meanwhile; null when nothing is. */
  readonly busy: string | null;
  /** The selected choice of the step; null for the one that was taken before, or that the step suggests. */
  readonly index: number | null;
  /** The id of the choice that was taken in the open step before; null where it is shown for the first time. */
  readonly taken: string | null;
  /** Rows above the window, once the user has scrolled; null lets the selection decide. */
  readonly offset: number | null;
  /** Which line is typed in the step: of another address, or the command for changes; null while one chooses. */
  readonly openLine: 'url' | 'header' | 'hook' | null;
  /** The key is one of them: it leaves the state when it is saved, with the service that it was typed for, or with the conversation. */
  readonly fields: Readonly<Record<SetupField, TextEdit>>;
  /** What was chosen in this conversation; null leaves the service as it is. */
  readonly service: ServiceChoice | null;
  /** Null leaves the key as it is. */
  readonly key: KeySource | null;
  readonly proof: RunningProof;
  /** Null until they are known. */
  readonly stores: readonly SetupChoice[] | null;
  /** Null until they are known. */
  readonly channels: readonly SetupChoice[] | null;
  /** Null until the user has changed what is set. */
  readonly chosenChannels: readonly string[] | null;
  /** What came of trying a channel, by its id. */
  readonly trials: Readonly<Record<string, SetupNote>>;
}

/** The part of the state that belongs to setting up. */
export interface SetupState {
  /** Null while nobody sets up. */
  readonly settingUp: SettingUp | null;
}

/** The board, as far as setting up needs it. */
export interface SetupBoard
  extends Scrolled,
    Pick<BoardServices, 'openPage' | 'setup' | 'setupEffects' | 'whyNoSetup'> {
  readonly ui: SetupState;
  readonly change: Change<SetupState & FocusState & FooterState & HelpState & OverlayState>;
  readonly now: EpochMs;
  readonly state: Pick<MonitorState, 'parcels'>;
  readonly quit: () => void;
}

/** No conversation is open. */
export const notSettingUp: SetupState = { settingUp: null };

/** A conversation that begins at a step. */
export const openedSetup = (step: SetupStep): SettingUp => ({
  step,
  done: [],
  left: [],
  hasLooked: false,
  now: null,
  notes: [],
  busy: null,
  index: null,
  taken: null,
  offset: null,
  openLine: null,
  fields: { url: emptyEdit, header: emptyEdit, key: emptyEdit, command: emptyEdit, zone: emptyEdit, hook: emptyEdit },
  service: null,
  key: null,
  proof: unbegunProof,
  stores: null,
  channels: null,
  chosenChannels: null,
  trials: {},
});

/** The conversation with which a board opens: where nothing is set up or watched, or where it was asked for; null for none. */
export function setupAtFirst({
  monitor,
  opensSetup,
  setup,
  setupEffects,
}: Pick<BoardServices, 'monitor' | 'opensSetup' | 'setup' | 'setupEffects'>): SettingUp | null {
  if (setupEffects === null) return null;
  const isEmpty = setup.kind === 'not-set-up' && monitor.getState().parcels.length === 0;
  if (opensSetup !== true && !isEmpty) return null;
  // Who has set the address has answered the first question.
  return openedSetup(setup.kind === 'not-set-up' && setup.baseUrl !== null ? 'key' : 'service');
}

/** A change of the conversation, if it is still open: every one is made here, so that no key outlives its service. */
export const withSetup =
  (change: Partial<SettingUp> | ((setup: SettingUp) => Partial<SettingUp>)) =>
  ({ settingUp }: SetupState): Partial<SetupState> => {
    if (settingUp === null) return {};
    const changed = { ...settingUp, ...(typeof change === 'function' ? change(settingUp) : change) };
    return { settingUp: withoutForeignKey(settingUp, changed) };
  };

/**
 * What was given for a service goes with it, by whatever way another one has come into its place: its key, the command that
 * prints it, the proof. A choice of the key that is set holds only as long as that is the same one.
 */
function withoutForeignKey(before: SettingUp, after: SettingUp): SettingUp {
  const isUnderTheHand = after.step === before.step && (after.step === 'check' || after.step === 'save');
  const askAgain = isUnderTheHand ? atStep('key', [{ text: changedMeanwhile, tone: 'today' }]) : {};
  if (!isSameService(serviceOf(before), serviceOf(after))) {
    const fields = { ...after.fields, key: emptyEdit, command: emptyEdit };
    return { ...after, fields, key: null, proof: unbegunProof, stores: null, ...askAgain };
  }
  const isOtherKey = before.now !== null && after.key?.kind === 'present' && !isSameSet(before.now, after.now);
  return isOtherKey ? { ...after, key: null, proof: unbegunProof, ...askAgain } : after;
}

/** Whether service and key are set as they were before. */
export const isSameSet = (one: SetupNow | null, other: SetupNow | null): boolean =>
  one?.key?.place === other?.key?.place && isSameService(one?.service ?? null, other?.service ?? null);

const changedMeanwhile = 'What is set has changed meanwhile. Which key is it?';

/** Another step, at its beginning. */
export const atStep = (step: SetupStep, notes: readonly SetupNote[] = []): Partial<SettingUp> => ({
  step,
  notes,
  busy: null,
  index: null,
  taken: null,
  offset: null,
  openLine: null,
  // What is set may have changed while the key was typed: nothing is sent before that is looked at again.
  ...(step === 'check' ? { proof: unbegunProof, hasLooked: false } : {}),
});

/** What has been settled of service and key. */
export const settledOf = ({ key, now, service }: SettingUp): Settled => ({
  hasService: service !== null || now?.service != null,
  hasKey: keyOf({ key, now, service }) !== null,
  hasNews:
    !lacksOwnKey({ key, now, service }) && ((key !== null && key.kind !== 'present') || !isSetService(service, now)),
});

/** The service that is checked and saved: the chosen one, or the one that is set. */
export const serviceOf = ({ now, service }: SettingUp): ServiceChoice | null => service ?? now?.service ?? null;

/** What the open step has proved; null where nothing is to be sent, or not yet. */
export function provedBy(setup: SettingUp): Pick<ProofRequest, 'service' | 'key'> | null {
  const service = serviceOf(setup);
  const key = keyOf(setup);
  const isDue = setup.step === 'check' && setup.hasLooked;
  return isDue && service !== null && key !== null ? { service, key } : null;
}

/** Where the key comes from: as given in this conversation, or the one that is set, if it is the service's. */
export function keyOf({ key, now, service }: Pick<SettingUp, 'key' | 'now' | 'service'>): KeySource | null {
  return key ?? (now?.key == null || !isKeyOf(service, now) ? null : { kind: 'present' });
}

/** Whether a key is set, but for another service: saved without one of its own, this service would be sent that one. */
export const lacksOwnKey = (setup: Pick<SettingUp, 'key' | 'now' | 'service'>): boolean =>
  setup.now?.key != null && keyOf(setup) === null;

/** The ways to give the key, as the step shows them. */
export const keyChoicesOf = (setup: SettingUp): readonly SetupChoice[] => keyChoices(setup.now, serviceOf(setup));

/** The selected way to give the key: that of before, where one goes back to it. */
export const keyChoiceIndex = (setup: SettingUp): number =>
  setup.index ?? indexAmong(keyChoicesOf(setup), ({ id }) => id === (setup.taken ?? setup.key?.kind));

/** Where the first such choice stands among others; at the top where there is none. */
export const indexAmong = (choices: readonly SetupChoice[], isIt: (choice: SetupChoice) => boolean): number =>
  Math.max(0, choices.findIndex(isIt));

/** The channels that are switched on: as chosen, or as set. */
export const chosenChannelsOf = ({ chosenChannels, now }: SettingUp): readonly string[] =>
  chosenChannels ?? now?.channels ?? [];

/** Whether the key in its line is the one that was refused: what is typed or pasted next stands in its place. */
export function isRefusedKey({ fields, key, proof: { proof } }: SettingUp): boolean {
  return proof?.mistakeIn === 'key' && key?.kind === 'entered' && key.key === fields.key.text.trim();
}
