import { type ChoiceLines, choiceLines, offsetFor } from '../../board/setup/choice-lines.ts';
import { hostWords, lengthWords } from '../../board/setup/key-choices.ts';
import { proofAdvice, proofLines } from '../../board/setup/proof-lines.ts';
import type { SetupEffects } from '../../board/setup/setup-effects.ts';
import { setupSummary, stepTexts } from '../../board/setup/step-text.ts';
import { progressLine, type SetupStep, setupPosition, setupStepTitle } from '../../board/setup/steps.ts';
import { unknownZoneText } from '../../board/setup/zone-choices.ts';
import { statusNow } from '../../board/status/status-now.ts';
import { fitText } from '../../board/text/cells.ts';
import type { Line, Tone } from '../../board/text/line.ts';
import { paragraphLines } from '../../board/text/paragraph.ts';
import type { MonitorState } from '../../polling/core/state.ts';
import type { EpochMs } from '../../service/clock/clock.ts';
import type { Zone } from '../../service/clock/zone.ts';
import type { FooterState, Message } from '../footer/state.ts';
import type { PaneSize } from '../layout.ts';
import type { ShownOverlay } from '../overlay/state.ts';
import { Pane } from '../pane/pane.tsx';
import { scrollStatus, scrollWithin } from '../pane/scroll.ts';
import { isRefusedKey, keyOf, type SettingUp, serviceOf } from './state.ts';
import { shownStep } from './step.ts';

/** The text of the conversation, and which rows of it are to be in sight. */
export interface SetupContent extends ChoiceLines {
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
export function complaintOf(message: Message | null): string | null {
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
