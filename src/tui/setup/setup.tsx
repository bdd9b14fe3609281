import { useEffect, useRef } from 'react';
import { statusNow } from '../../board/status/status-now.ts';
import { fitText, paragraphLines, wrap } from '../../lib/cells.ts';
import type { EpochMs } from '../../lib/clock.ts';
import { messageOf } from '../../lib/error-text.ts';
import type { Line, Tone } from '../../lib/paint.ts';
import type { Zone } from '../../lib/zone.ts';
import type { MonitorState } from '../../polling/state.ts';
import { hostWords, lengthWords, unknownZoneText } from '../../settings/setup/choices.ts';
import type { Proof, ProofCheck, ProofCheckName, SetupEffects } from '../../settings/setup/effects.ts';
import { type ChoiceLines, choiceLines, offsetFor } from '../../settings/setup/setup-lines.ts';
import type { FooterState, Message } from '../footer/messages.ts';
import type { ShownOverlay } from '../help/keys.ts';
import type { Change } from '../keys/binding.ts';
import type { PaneSize } from '../layout.ts';
import { scrollStatus, scrollWithin } from '../pane/frame.ts';
import { Pane } from '../pane/pane.tsx';
import { isRefusedKey, keyOf, provedBy, type SettingUp, type SetupState, serviceOf, withSetup } from './state.ts';
import { shownStep } from './step.ts';
import { progressLine, type SetupStep, setupPosition, setupStepTitle, setupSummary, stepTexts } from './steps.ts';

const checkTitles: Readonly<Record<ProofCheckName, string>> = {
  address: 'Address',
  connection: 'Connection',
  answer: 'Service',
  key: 'Key',
  clock: 'Clock',
};

/** Each sign has a word beside it, for who cannot tell them apart. */
const states: Readonly<
  Record<ProofCheck['state'], { readonly sign: string; readonly word: string; readonly tone: Tone }>
> = {
  waiting: { sign: '○', word: '', tone: 'quiet' },
  running: { sign: '◔', word: 'checking…', tone: 'accent' },
  ok: { sign: '✓', word: 'ok', tone: 'done' },
  doubtful: { sign: '!', word: 'look at this', tone: 'today' },
  failed: { sign: '✗', word: 'failed', tone: 'attention' },
  skipped: { sign: '–', word: 'not checked', tone: 'quiet' },
};

/** Cells of sign and title before what a check found. */
const titleCells = 15;

/** The checks of a proof below each other, in so many cells, with the one that runs selected. */
export function proofLines(checks: readonly ProofCheck[], width: number): ChoiceLines {
  const blocks = checks.map((check) => checkBlock(check, width));
  const running = checks.findIndex(({ state }) => state === 'running');
  const from = blocks.slice(0, Math.max(0, running)).flat().length;
  return { lines: blocks.flat(), selected: { from, to: from + (blocks[running]?.length ?? 0) } };
}

function checkBlock({ detail, name, state }: ProofCheck, width: number): readonly Line[] {
  const { sign, tone, word } = states[state];
  const found = detail === '' ? word : detail;
  const lead = [{ text: `  ${sign} `, tone, bold: true }, { text: checkTitles[name].padEnd(titleCells - 4) }] as const;
  return wrap(found, Math.max(1, width - titleCells)).map((row, at): Line => {
    const text = { text: row, tone: state === 'ok' ? ('plain' as const) : tone };
    return at === 0 ? [...lead, text] : [{ text: ' '.repeat(titleCells) }, text];
  });
}

/** What is to be done after a proof, as a sentence. */
export function proofAdvice({ mistakeIn, works }: Proof): string {
  if (works) return 'Enter goes on.';
  const again = 'r checks again, Tab goes on all the same.';
  if (mistakeIn === 'service') return `Enter goes back to the address; ${again}`;
  if (mistakeIn === 'key') return `Enter goes back to the key; ${again}`;
  return `Esc goes back; ${again}`;
}

/** The text of the conversation, and which rows of it are to be in sight. */
interface SetupContent extends ChoiceLines {
  /** Whether what is to be in sight is what is wrong with an answer: however far the user has scrolled. */
  readonly isComplaint?: boolean;
}

/** What the content depends on. */
interface ContentSource {
  readonly now: EpochMs;
  readonly zone: Zone;
  readonly state: Pick<MonitorState, 'parcels'>;
  readonly ui: FooterState;
}

/** In a pane of fewer rows the question stands right above its answers, as what is further up is out of sight. */
const lowPane = 12;

/** Cells of the widest text: longer rows are hard to read. */
const widestText = 96;

/** What the open step shows, in a pane of this size. */
export function setupContent(
  setup: SettingUp,
  effects: SetupEffects,
  board: ContentSource,
  { height, width }: PaneSize,
): SetupContent {
  const room = Math.min(widestText, Math.max(1, width - 2));
  const paragraph = (text: string, tone: Tone = 'plain', bold = false): readonly Line[] =>
    paragraphLines(text, room, { tone, bold }, 1);
  const progress = progressLine(setup.step, setup.done, width);
  // A question that changes under the hand is answered wrongly.
  if (!setup.hasLooked) return { lines: paragraph('Looking at what is set up…', 'quiet'), selected: unselected };
  const facts = { known: effects.knownServices, now: setup.now, service: serviceOf(setup), key: keyOf(setup) };
  const { hints = [], question, warning = null } = stepTexts[setup.openLine ?? setup.step](facts);
  const asked = paragraph(question, 'plain', true);
  const hinted = hints.flatMap((hint) => paragraph(hint, 'quiet'));
  const top: readonly Line[] = [
    ...(progress.length === 0 ? [] : [progress, []]),
    ...setup.notes.flatMap(({ text, tone }) => paragraph(text, tone)),
    ...(height < lowPane ? [...hinted, ...asked] : [...asked, ...hinted]),
    ...(warning === null ? [] : paragraph(`! ${warning}`, 'today')),
  ];
  const body = bodyOf(setup, effects, board, { width, height, rows: height - top.length - 1, paragraph });
  const busy = setup.busy === null ? [] : [[], ...paragraph(setup.busy, 'accent')];
  const gap: readonly Line[] = body.lines.length === 0 ? [] : [[]];
  const above = top.length + gap.length;
  const lines = [...top, ...gap, ...body.lines, ...busy];
  if (busy.length > 0) return { lines, selected: { from: lines.length - 1, to: lines.length } };
  const complaint = complaintOf(board.ui.message);
  if (complaint !== null) {
    const told = [...lines, [], ...paragraph(`! ${complaint}`, 'attention', true)];
    return { lines: told, selected: { from: lines.length + 1, to: told.length }, isComplaint: true };
  }
  const { from, to } = body.selected;
  return { lines, selected: to === 0 ? { from: 0, to: 0 } : { from: above + from, to: above + to } };
}

/** What is wrong with an answer, which stands with the question, as a footer has no room for whole sentences; null for nothing. */
function complaintOf(message: Message | null): string | null {
  if (message === null || message.tone !== 'attention') return null;
  return message.advice === undefined ? message.text : `${message.text} ${message.advice}`;
}

/** What of the conversation is in sight, in a pane of this size inside. */
export function setupInSight(
  setup: SettingUp,
  effects: SetupEffects,
  board: ContentSource,
  size: PaneSize,
): Pick<ShownOverlay, 'lines' | 'scroll'> {
  const { isComplaint = false, lines, selected } = setupContent(setup, effects, board, size);
  const scrolled = isComplaint ? null : setup.offset;
  const scroll = scrollWithin(lines.length, scrolled ?? offsetFor(selected, lines.length, size.height), size.height);
  return { lines: lines.slice(scroll.offset, scroll.offset + scroll.rows), scroll };
}

interface SetupProps extends Pick<ShownOverlay, 'lines' | 'scroll'> {
  readonly step: SetupStep;
  readonly size: PaneSize;
}

/** The conversation that sets up, with where one is in it. */
export function Setup({ lines, scroll, size, step }: SetupProps) {
  const title = `Set up · ${setupPosition(step)} · ${setupStepTitle(step)}`;
  return <Pane texts={{ title, ...scrollStatus(scroll) }} size={size} isFocused lines={lines} />;
}

interface Drawing {
  /** Rows of the pane. */
  readonly height: number;
  readonly width: number;
  /** Rows that the body has. */
  readonly rows: number;
  readonly paragraph: (text: string, tone?: Tone, bold?: boolean) => readonly Line[];
}

const unselected = { from: 0, to: 0 };

function bodyOf(setup: SettingUp, effects: SetupEffects, board: ContentSource, drawing: Drawing): SetupContent {
  const { paragraph, rows, width } = drawing;
  if (setup.step === 'check') return checkBody(setup, drawing);
  if (setup.step === 'numbers') return { lines: numbersBody(setup, effects, board, width), selected: unselected };
  if (setup.step === 'save' && setup.stores === null && keyOf(setup)?.kind === 'entered')
    return { lines: paragraph('Looking for places to keep it…', 'quiet'), selected: unselected };
  if (setup.step === 'notify' && setup.channels === null)
    return { lines: paragraph('Looking for ways to tell you…', 'quiet'), selected: unselected };
  const { choices, field, index } = shownStep(setup, effects, board.now);
  if (setup.step === 'zone' && choices.length === 0)
    return { lines: paragraph(unknownZoneText, 'attention'), selected: unselected };
  const block = choiceLines(choices, index, { rows, width: Math.min(widestText, width - 1) });
  const { text } = setup.fields.key;
  if (field !== 'key' || text === '') return block;
  const next = isRefusedKey(setup)
    ? 'That one was refused: what is typed or pasted now stands in its place.'
    : `Enter sends it to ${hostWords(serviceOf(setup))}, to check it.`;
  return { ...block, lines: [...block.lines, [], ...paragraph(`${lengthWords(text)} entered. ${next}`)] };
}

function checkBody({ proof: { checks, proof } }: SettingUp, { height, paragraph, rows, width }: Drawing): SetupContent {
  const running = proofLines(checks, width - 1);
  if (proof === null) return running;
  const outcome = proof.problem ?? proof.summary;
  const more = proof.problem === null ? [] : paragraph(proof.summary, 'quiet');
  const told = [
    ...paragraph(outcome, proof.works ? 'done' : 'attention', true),
    ...more,
    ...paragraph(proofAdvice(proof)),
  ];
  // Where not all of it has room, what was found wrong has.
  const wrong = checks.filter(({ state }) => state === 'failed' || state === 'doubtful');
  const isTight = running.lines.length + 1 + told.length > rows && wrong.length > 0;
  const lines = isTight ? proofLines(wrong, width - 1).lines : [...running.lines, []];
  const short = isTight ? told.filter((line) => !more.includes(line)) : told;
  const whole = [...lines, ...short];
  const from = whole.length > height ? lines.length : 0;
  return { lines: whole, selected: { from, to: whole.length } };
}

const nameCells = 9;

/** What is set up, and the numbers that are watched by now, newest first. */
function numbersBody(
  setup: SettingUp,
  { knownServices }: SetupEffects,
  board: ContentSource,
  width: number,
): readonly Line[] {
  const summary = setupSummary({ known: knownServices, now: setup.now }).map(
    ([name, value]): Line => [
      { text: ` ${fitText(name, nameCells)}`, tone: 'quiet' },
      { text: fitText(value, Math.max(1, width - nameCells - 2)).trimEnd() },
    ],
  );
  const { now, state, zone } = board;
  const parcels = state.parcels
    .filter(({ archivedAt }) => archivedAt === null)
    .toSorted((a, b) => b.addedAt.localeCompare(a.addedAt));
  const titleCells = Math.max(8, Math.min(30, Math.floor((width - 4) / 2)));
  const watched = parcels.map(
    (parcel): Line => [
      { text: ' ✓ ', tone: 'done' },
      { text: `${fitText(parcel.label ?? parcel.trackNo, titleCells)} `, bold: true },
      { text: fitText(statusNow(parcel, { now, zone }), Math.max(1, width - titleCells - 5)).trimEnd(), tone: 'quiet' },
    ],
  );
  return parcels.length === 0 ? summary : [...watched, [], ...summary];
}

/** Does for the open step what it needs: looks what is set and what there is, and proves service and key. */
export function useSetup(effects: SetupEffects | null, setup: SettingUp | null, change: Change<SetupState>): void {
  const step = setup?.step ?? null;
  useEffect(() => {
    if (effects === null || step === null) return;
    return ifStillWanted(effects.current(), (now) => change(withSetup({ hasLooked: true, now })), change);
  }, [effects, step, change]);
  const keyedService = step === 'save' && setup !== null && keyOf(setup)?.kind === 'entered' ? serviceOf(setup) : null;
  useEffect(() => {
    if (effects === null || keyedService === null) return;
    return ifStillWanted(effects.keyStores(keyedService), (stores) => change(withSetup({ stores })), change);
  }, [effects, keyedService, change]);
  useEffect(() => {
    if (effects === null || step !== 'notify') return;
    return ifStillWanted(effects.channels(), (channels) => change(withSetup({ channels })), change);
  }, [effects, step, change]);
  const isShown = setup !== null;
  useEffect(() => {
    effects?.noteShown(isShown);
  }, [effects, isShown]);
  useProof(effects, setup, change);
}

/** Hands on what comes, or says why it does not, unless another step is open by then. */
function ifStillWanted<Value>(
  coming: Promise<Value>,
  take: (value: Value) => void,
  change: Change<SetupState>,
): () => void {
  let isWanted = true;
  coming.then(
    (value) => {
      if (isWanted) take(value);
    },
    (error: unknown) => {
      const text = messageOf(error);
      if (isWanted) change(withSetup({ hasLooked: true, notes: [{ text, tone: 'attention' }] }));
    },
  );
  return () => {
    isWanted = false;
  };
}

/** Proves service and key as long as that step is open, once for each try; leaving the step ends the call. */
function useProof(effects: SetupEffects | null, setup: SettingUp | null, change: Change<SetupState>): void {
  // What is proved is settled by then; what holds it may be replaced meanwhile.
  const newest = useRef({ effects, setup });
  newest.current = { effects, setup };
  const run = setup === null || provedBy(setup) === null ? null : setup.proof.run;
  useEffect(() => {
    const { effects: prover, setup: settled } = newest.current;
    if (run === null || prover === null || settled === null) return;
    const proved = provedBy(settled);
    if (proved === null) return;
    const leaving = new AbortController();
    const note = (found: Partial<SettingUp['proof']>): void => {
      if (leaving.signal.aborted) return;
      change(withSetup(({ proof }) => ({ proof: { ...proof, ...found } })));
    };
    const { signal } = leaving;
    const proving = prover.prove({ ...proved, signal, onProgress: (checks) => note({ checks }) });
    const forget = ifStillWanted(proving, (proof) => note({ checks: proof.checks, proof }), change);
    return () => {
      forget();
      leaving.abort();
    };
  }, [run, change]);
}
