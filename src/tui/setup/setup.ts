import { useEffect, useRef } from 'react';
import type { Check, CheckStatus } from '../../board/json-schemas.ts';
import { statusNow } from '../../board/status/status-now.ts';
import { fitText, paragraphLines, wrap } from '../../lib/cells.ts';
import { messageOf } from '../../lib/error-text.ts';
import type { Line, Tone } from '../../lib/paint.ts';
import {
  type CheckResult,
  type ChoiceLines,
  choiceLines,
  type SetupEffects,
  scrollOffset,
} from '../../settings/setup/board-setup.ts';
import { hostText, lengthText, unknownZoneText } from '../../settings/setup/choices.ts';
import type { Board, OverlayContent } from '../board.ts';
import { type PaneSize, scrollStatus, visibleText } from '../layout.ts';
import type { Change, Message, SetupState, UiState } from '../ui-state.ts';
import { askKeyAgain, changeSetup, chosenKey, chosenService, isRefusedKey, isSameSetup } from './state.ts';
import { currentField, currentStepChoices, progressLine, setupSummary, setupTitle, steps } from './steps.ts';

const statusLooks: Readonly<Record<CheckStatus, { readonly symbol: string; readonly tone: Tone }>> = {
  ok: { symbol: '✓', tone: 'done' },
  warn: { symbol: '!', tone: 'today' },
  fail: { symbol: '✗', tone: 'attention' },
};

/** Width of the symbol and name columns, in cells. */
const leadCells = 12;

function checkLines({ found, name, status }: Check, width: number): readonly Line[] {
  const { symbol, tone } = statusLooks[status];
  const lead = [{ text: `  ${symbol} `, tone, bold: true }, { text: name.padEnd(leadCells - 4) }] as const;
  return wrap(found, Math.max(1, width - leadCells)).map((row, index): Line => {
    const text = { text: row, tone: status === 'ok' ? ('plain' as const) : tone };
    return index === 0 ? [...lead, text] : [{ text: ' '.repeat(leadCells) }, text];
  });
}

function checkAdvice({ failure, faultyStep }: CheckResult): string {
  if (failure === null) return 'Press Enter to continue.';
  const back =
    faultyStep === 'service'
      ? 'Enter to go back to the address'
      : faultyStep === 'key'
        ? 'Enter to go back to the key'
        : 'Esc to go back';
  return `Press ${back}, r to check again, or Tab to continue anyway.`;
}

/** The setup dialog's text, and which of its rows must stay visible. */
interface SetupContent extends ChoiceLines {
  /** Whether the text ends with a validation error, which stays visible even if the user has scrolled. */
  readonly showsError?: boolean;
}

interface ContentSource extends Pick<Board, 'now' | 'zone'> {
  readonly state: Pick<Board['state'], 'parcels'>;
  readonly ui: Pick<UiState, 'message'>;
}

/** In a shorter pane, the hints move above the question, so that they are the first to scroll out of view. */
const shortPaneRows = 12;

/** Maximum width of text, in cells. Longer lines are hard to read. */
const maxTextCells = 96;

type Paragraph = (text: string, tone?: Tone, bold?: boolean) => readonly Line[];

const unselected = { from: 0, to: 0 };

function setupContent(setup: SetupState, board: ContentSource, { height, width }: PaneSize): SetupContent {
  const room = Math.min(maxTextCells, Math.max(1, width - 2));
  const paragraph: Paragraph = (text, tone = 'plain', bold = false) => paragraphLines(text, room, { tone, bold }, 1);
  const notes = setup.notes.flatMap(({ text, tone }) => paragraph(text, tone));
  // The question must not change while the user answers it.
  if (setup.active === null) {
    return { lines: [...notes, ...(setup.busy === null ? [] : paragraph(setup.busy, 'quiet'))], selected: unselected };
  }
  const { hints = [], question, warning = null } = steps[setup.step].text(setup);
  const questionLines = paragraph(question, 'plain', true);
  const hintLines = hints.flatMap((hint) => paragraph(hint, 'quiet'));
  const progress = progressLine(setup, width);
  const header: readonly Line[] = [
    ...(progress.length === 0 ? [] : [progress, []]),
    ...notes,
    ...(height < shortPaneRows ? [...hintLines, ...questionLines] : [...questionLines, ...hintLines]),
    ...(warning === null ? [] : paragraph(`! ${warning}`, 'today')),
  ];
  const body = setupBody(setup, board, paragraph, { height: height - header.length - 1, width });
  const above = body.lines.length === 0 ? header : [...header, []];
  const lines = [...above, ...body.lines];
  const finalText = setup.busy ?? validationError(board.ui.message);
  if (finalText !== null) {
    const showsError = setup.busy === null;
    const message = showsError ? paragraph(`! ${finalText}`, 'attention', true) : paragraph(finalText, 'accent');
    const linesWithMessage = [...lines, [], ...message];
    return { lines: linesWithMessage, selected: { from: lines.length + 1, to: linesWithMessage.length }, showsError };
  }
  const { from, to } = body.selected;
  return { lines, selected: to === 0 ? unselected : { from: above.length + from, to: above.length + to } };
}

/** Returns the validation error, or null. It is shown below the question because the footer is too short for it. */
function validationError(message: Message | null): string | null {
  if (message === null || message.tone !== 'attention') return null;
  return message.advice === undefined ? message.text : `${message.text} ${message.advice}`;
}

/** Returns the part of the setup dialog that is visible in a pane of this inner size. */
export function setupOverlay(setup: SetupState, board: ContentSource, size: PaneSize): OverlayContent {
  const { showsError = false, lines, selected } = setupContent(setup, board, size);
  const scrolledOffset = showsError ? null : setup.offset;
  const visible = visibleText(lines, scrolledOffset ?? scrollOffset(selected, lines.length, size.height), size.height);
  return { texts: { title: setupTitle(setup.step), ...scrollStatus(visible.scroll) }, ...visible };
}

function setupBody(setup: SetupState, board: ContentSource, paragraph: Paragraph, size: PaneSize): ChoiceLines {
  const { step } = setup;
  const message = (text: string, tone: Tone): ChoiceLines => ({ lines: paragraph(text, tone), selected: unselected });
  if (step === 'check') return checkBody(setup, paragraph, size.width);
  if (step === 'numbers') return { lines: numbersBody(setup, board, size.width), selected: unselected };
  if (steps[step].choices?.(setup, board.now) === null)
    return message(
      step === 'save' ? 'Looking for places to store the key…' : 'Looking for ways to notify you…',
      'quiet',
    );
  const { choices, index } = currentStepChoices(setup, board.now);
  if (step === 'zone' && choices.length === 0) return message(unknownZoneText, 'attention');
  const block = choiceLines(choices, index, { rows: size.height, width: Math.min(maxTextCells, size.width - 1) });
  const { text } = setup.fields.key;
  if (currentField(setup) !== 'key' || text === '') return block;
  const next = isRefusedKey(setup)
    ? 'That key was refused. Type or paste a new one.'
    : `Press Enter to send the key to ${hostText(chosenService(setup))} and check it.`;
  return { ...block, lines: [...block.lines, [], ...paragraph(`${lengthText(text)} entered. ${next}`)] };
}

function checkBody({ checkResult }: SetupState, paragraph: Paragraph, width: number): ChoiceLines {
  if (checkResult === null) return { lines: paragraph('Checking…', 'accent'), selected: unselected };
  const { checks, problem, summary } = checkResult;
  const blocks = checks.map((check) => checkLines(check, width - 1));
  const failed = checks.findIndex(({ status }) => status === 'fail');
  const lines = [
    ...blocks.flat(),
    [],
    ...(problem === null
      ? paragraph(summary, 'done', true)
      : [...paragraph(problem, 'attention', true), ...paragraph(summary, 'quiet')]),
    ...paragraph(checkAdvice(checkResult)),
  ];
  // In a short pane, the failed check must stay visible.
  return { lines, selected: { from: blocks.slice(0, Math.max(0, failed)).flat().length, to: lines.length } };
}

const summaryCells = 9;

/** Lists the parcels on the list, newest first, and a summary of the settings. */
function numbersBody(setup: SetupState, board: ContentSource, width: number): readonly Line[] {
  const summary = setupSummary(setup.active).map(
    ([name, value]): Line => [
      { text: ` ${fitText(name, summaryCells)}`, tone: 'quiet' },
      { text: fitText(value, Math.max(1, width - summaryCells - 2)).trimEnd() },
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

/** Loads what the open step needs: the settings, key stores and channels. Checks the service and the API key. */
export function useSetup(effects: SetupEffects | null, setup: SetupState | null, change: Change): void {
  const step = setup?.step ?? null;
  const isOpen = setup !== null;
  useEffect(() => {
    if (effects === null || !isOpen) return;
    return unlessCancelled(effects.current(), (active) => change(changeSetup({ active, busy: null })), change);
  }, [effects, isOpen, change]);
  const keyedService =
    step === 'save' && setup !== null && chosenKey(setup)?.kind === 'entered' ? chosenService(setup) : null;
  useEffect(() => {
    if (effects === null || keyedService === null) return;
    return unlessCancelled(effects.keyStores(keyedService), (stores) => change(changeSetup({ stores })), change);
  }, [effects, keyedService, change]);
  useEffect(() => {
    if (effects === null || step !== 'notify') return;
    return unlessCancelled(effects.channels(), (channels) => change(changeSetup({ channels })), change);
  }, [effects, step, change]);
  // The check uses a snapshot of the settings, because they may change before the request finishes.
  const latest = useRef({ effects, setup });
  latest.current = { effects, setup };
  const run = step === 'check' ? (setup?.run ?? null) : null;
  useEffect(() => {
    const { effects, setup: snapshot } = latest.current;
    if (run === null || effects === null || snapshot === null) return;
    const abort = new AbortController();
    const check = checkSettings(effects, snapshot, abort.signal);
    const cancel = unlessCancelled(check, (found) => change(changeSetup(found)), change);
    return () => {
      cancel();
      abort.abort();
    };
  }, [run, change]);
}

/**
 * Checks the service and the API key. If the settings were changed since the snapshot, asks for the key again, because
 * it may now belong to a different service.
 */
export async function checkSettings(
  effects: SetupEffects,
  setup: SetupState,
  signal: AbortSignal,
): Promise<Partial<SetupState> | ((setup: SetupState) => Partial<SetupState>)> {
  const [service, key] = [chosenService(setup), chosenKey(setup)];
  const active = await effects.current();
  if (service === null || key === null || !isSameSetup(active, setup.active)) {
    const text = 'The settings were changed elsewhere. Choose the key again.';
    return (latest) => ({ ...askKeyAgain(active)(latest), notes: [{ text, tone: 'today' }] });
  }
  return { checkResult: await effects.check({ service, key, signal }) };
}

/** Passes the value on or shows the error. The returned function cancels both. */
function unlessCancelled<Value>(promise: Promise<Value>, onValue: (value: Value) => void, change: Change): () => void {
  let isCancelled = false;
  promise.then(
    (value) => {
      if (!isCancelled) onValue(value);
    },
    (error: unknown) => {
      if (!isCancelled) change(changeSetup({ busy: null, notes: [{ text: messageOf(error), tone: 'attention' }] }));
    },
  );
  return () => {
    isCancelled = true;
  };
}
