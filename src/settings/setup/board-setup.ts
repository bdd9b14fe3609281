import type { Check } from '../../board/json-schemas.ts';
import { cellWidth, paragraphLines, wrap } from '../../lib/cells.ts';
import type { NamedError } from '../../lib/error-text.ts';
import type { Line, Tone } from '../../lib/paint.ts';
import type { SettingChange } from '../config-text.ts';

export type ServiceChoice =
  | { readonly kind: 'profile'; readonly profile: string }
  | {
      readonly kind: 'base-url';
      readonly baseUrl: string;
      /** Name of the header that contains the key. Null for the default. */
      readonly header: string | null;
    };

export type KeySource =
  /** Typed or pasted just now. */
  | { readonly kind: 'entered'; readonly key: string }
  /** Printed by the user's command, which is split at white space and quotes and runs without a shell. */
  | { readonly kind: 'command'; readonly commandLine: string }
  /** The key that is already set. */
  | { readonly kind: 'present' };

export interface SettingOrigin {
  /** For example `PARCEL_MONITOR_API_KEY`, `--base-url` or `config.json: apiKeyCommand (pass)`. */
  readonly place: string;
  /** Whether an option or an environment variable sets it. The file cannot change that. */
  readonly overridesFile: boolean;
}

/** The current settings. Null if a service or a key is not set. */
export interface CurrentSetup {
  readonly service: (ServiceChoice & SettingOrigin) | null;
  readonly key: SettingOrigin | null;
  /** The current zone, IANA. */
  readonly zone: string;
  /** Null if it follows the machine's. */
  readonly zoneSet: SettingOrigin | null;
  /** IANA. */
  readonly machineZone: string;
  readonly channels: readonly string[];
  readonly notifyCommand: string | null;
  /** Path of the file to write, for display. */
  readonly configFile: string;
}

export interface CheckResult {
  /** Checks of service, key and clock, as `doctor` prints them. */
  readonly checks: readonly Check[];
  /** Why service and key do not work together, or null. */
  readonly failure: NamedError | null;
  /** The problem and what to do, as sentences, or null. */
  readonly problem: string | null;
  /** The step to correct, or null. */
  readonly faultyStep: 'service' | 'key' | 'elsewhere' | null;
  /** What the request cost and what came of it, as a sentence. */
  readonly summary: string;
}

export interface CheckRequest {
  readonly service: ServiceChoice;
  readonly key: KeySource;
  /** Aborted when the user stops waiting. */
  readonly signal: AbortSignal;
}

export interface ServiceToSave {
  readonly service: ServiceChoice;
  /** Null sets no key. `present` keeps the current key. A `command` is saved as `apiKeyCommand`. */
  readonly key: KeySource | null;
  /** Id of the key store for an entered key. Null for other keys. */
  readonly keyStore: string | null;
}

/** What was saved, in sentences. */
export interface SaveResult {
  readonly summary: string;
  readonly warnings: readonly string[];
}

/** The channel that needs a command from the user. */
export const commandChannelId = 'command';

export interface ChannelQuestion {
  /** The last part of the setting's name. */
  readonly field: string;
  /** What the user is asked for, as a phrase. */
  readonly question: string;
  readonly isSecret: boolean;
  readonly isOptional: boolean;
}

export interface ChannelChoice extends SetupChoice {
  /** Absent for a channel without settings. */
  readonly questions?: readonly ChannelQuestion[];
}

/** Actions of the setup. They reject with a `NamedError` for the user. Their sentences never contain the key. */
export interface SetupEffects {
  current(): Promise<CurrentSetup>;
  /** An error that the user can fix is part of the result. */
  check(request: CheckRequest): Promise<CheckResult>;
  /** Returns this machine's key stores, the recommended one first. */
  keyStores(service: ServiceChoice): Promise<readonly SetupChoice[]>;
  /** Saves the key, reads it back, and writes service and key to the configuration. */
  saveService(settings: ServiceToSave): Promise<SaveResult>;
  /** Saves other settings. `summary` is the sentence about them. */
  save(changes: readonly SettingChange[], summary: string): Promise<SaveResult>;
  /** Returns the notification channels of this machine. The id of each is its name in the configuration. */
  channels(): Promise<readonly ChannelChoice[]>;
  /** Saves the answers about a channel, by field. Secrets are saved where the API key is. */
  saveChannel(name: string, answers: Readonly<Record<string, string>>): Promise<SaveResult>;
  /** Sends a test message on a channel. Returns why it failed, as a sentence, or null. */
  testChannel(name: string): Promise<string | null>;
  readonly isInSandbox: boolean;
  /** Shows the embedded sandbox on the board instead of the user's own parcels. Rejects with a sentence. */
  enterSandbox(): Promise<void>;
  leaveSandbox(): Promise<void>;
}

/** A sentence and its tone: about an earlier answer, a failure, or a test. */
export interface SetupNote {
  readonly text: string;
  readonly tone: Tone;
}

export interface SetupChoice {
  /** Unique in its step. */
  readonly id: string;
  readonly title: string;
  /** Sentences below the title. Each starts a new line. */
  readonly details: readonly string[];
  /** Why it cannot be chosen and what to do about it, or null if it can. */
  readonly unusable: string | null;
  /** A checkbox before the title, if any. */
  readonly isOn?: boolean;
  /** The result of trying it, below the details. */
  readonly outcome?: SetupNote | undefined;
}

/** The lines of a pane, and the rows of the selected choice. */
export interface ChoiceLines {
  readonly lines: readonly Line[];
  /** The first row of the selected choice, and the row after its last. Both are 0 if nothing is selected. */
  readonly selected: { readonly from: number; readonly to: number };
}

/**
 * Lays out choices below each other, each with its details, in `width` cells. Separates them with blank rows if they
 * still fit into `rows` rows, unless all of them are a single row.
 */
export function choiceLines(
  choices: readonly SetupChoice[],
  index: number,
  { rows, width }: { readonly rows: number; readonly width: number },
): ChoiceLines {
  const dense = choices.map((choice, at) => choiceBlock(choice, at === index, width));
  const spacedRows = dense.reduce((sum, block) => sum + block.length + 1, -1);
  const isSpaced = spacedRows <= rows && dense.some((block) => block.length > 1);
  const blocks = dense.map((block, at) => (isSpaced && at < dense.length - 1 ? [...block, []] : block));
  const from = blocks.slice(0, index).reduce((sum, block) => sum + block.length, 0);
  return { lines: blocks.flat(), selected: { from, to: from + (dense[index]?.length ?? 0) } };
}

function choiceBlock(choice: SetupChoice, isSelected: boolean, width: number): readonly Line[] {
  const { details, isOn, outcome, title, unusable } = choice;
  const lead = isSelected ? '▌ ' : '  ';
  const box = isOn === undefined ? '' : isOn ? '[x] ' : '[ ] ';
  const indent = lead.length + box.length;
  const room = Math.max(1, width - indent);
  const bar = { text: lead, tone: 'accent', bold: true } as const;
  const rows = (text: string, tone: Tone): readonly Line[] =>
    wrap(text, room).map((row): Line => [bar, { text: `${' '.repeat(box.length)}${row}`, tone }]);
  const titleRows = wrap(title, room).map((row, at): Line => {
    const text = `${at === 0 ? box : ' '.repeat(box.length)}${row}`;
    return [bar, unusable === null ? { text, bold: isSelected } : { text, tone: 'quiet' }];
  });
  return [
    ...titleRows,
    ...details.filter((detail) => cellWidth(detail) > 0).flatMap((detail) => rows(detail, 'quiet')),
    ...(unusable === null ? [] : rows(unusable, isSelected ? 'attention' : 'quiet')),
    ...(outcome === undefined ? [] : rows(outcome.text, outcome.tone)),
  ];
}

/**
 * Returns the smallest scroll offset at which a span is visible in a window of `rows` rows over `total` rows. Of a span
 * that is longer than the window, the beginning is visible.
 */
export function scrollOffset(span: ChoiceLines['selected'], total: number, rows: number): number {
  const last = Math.max(0, total - rows);
  const min = Math.min(span.to - rows, span.from);
  return Math.min(Math.max(0, min), last);
}

/** The base URL or the API key is missing. */
export interface MissingSetup {
  readonly kind: 'not-set-up';
  /** Whether a key is configured. If so, the base URL is missing. */
  readonly hasKey: boolean;
  /** Null if no base URL is configured. */
  readonly baseUrl: string | null;
  /** The file for both settings. */
  readonly configFile: string;
}

/** Whether the board can query the service, or what is missing. */
export type BoardSetup = { readonly kind: 'ready' } | MissingSetup;

/** Returns the missing setting, as a noun. */
export const missingSetting = ({ hasKey }: MissingSetup): string => (hasKey ? 'base URL' : 'API key');

/** Explains what is missing and how to set it, in `width` cells. Empty if nothing is missing. */
export function missingText(setup: BoardSetup, width: number): readonly Line[] {
  if (setup.kind === 'ready') return [];
  const room = Math.max(10, width - 1);
  return [
    ...paragraphLines(`There is no ${missingSetting(setup)} yet, so nothing is checked.`, room, { bold: true }, 1),
    ...paragraphLines('Press C to set it up, or run "parcel-monitor setup".', room, {}, 1),
    ...(setup.baseUrl === null ? [] : paragraphLines(`The service is ${setup.baseUrl}.`, room, {}, 1)),
    ...paragraphLines(`The setup is saved in ${setup.configFile}; an open board uses it immediately.`, room, {}, 1),
    ...paragraphLines('Numbers that you add now are saved and registered once the service is set up.', room, {}, 1),
  ];
}

/** A fact about the program and its service, for the details. */
export interface Fact {
  readonly name: string;
  readonly value: string;
}
