import { useEffect, useMemo, useState } from 'react';
import { type CourierSearch, createCourierSearch } from '../board/courier-search.ts';
import { withTimeout } from '../lib/clock.ts';
import { messageOf } from '../lib/error-text.ts';
import type { Courier } from '../service/port.ts';
import type { CourierDirectory } from '../store/courier-directory.ts';
import type { Board, LoadedCouriers } from './board.ts';
import { showProblem } from './footer.ts';
import { fieldMovementKeys, type KeyGroup } from './keys/binding.ts';
import { moveWithin } from './layout.ts';
import { emptyEdit, type TextEdit } from './text-edit.ts';
import type { Picker, UiState } from './ui-state.ts';

const findNothing: CourierSearch = () => [];

const noCouriers = { couriers: [], stale: false, problem: null };

/** Loads the couriers when they are first needed, and again after a failure. @param preferredCodes listed first */
export function useCouriers(
  directory: CourierDirectory,
  isNeeded: boolean,
  preferredCodes: readonly string[],
): LoadedCouriers {
  const [loaded, setLoaded] = useState<Omit<LoadedCouriers, 'search'>>({ ...noCouriers, status: 'absent' });
  const isReady = loaded.status === 'ready';
  useEffect(() => {
    if (!isNeeded || isReady) return;
    setLoaded({ ...noCouriers, status: 'loading' });
    directory.list().then(
      ({ couriers, stale }) => setLoaded({ status: 'ready', couriers, stale, problem: null }),
      (error: unknown) => setLoaded({ ...noCouriers, status: 'failed', problem: messageOf(error) }),
    );
  }, [directory, isNeeded, isReady]);
  const preferred = preferredCodes.join('\n');
  const search = useMemo(
    // There is nothing to index before the couriers are loaded.
    () => (loaded.couriers.length === 0 ? findNothing : createCourierSearch(loaded.couriers, preferred.split('\n'))),
    [loaded.couriers, preferred],
  );
  return { ...loaded, search };
}

/** How long to wait for the courier list, in milliseconds. */
const couriersTimeoutMs = 2000;

/** Waits for the couriers, but not for long: without them, numbers are still found. */
export async function waitForCouriers({
  clock,
  courierList,
  couriers,
}: Pick<Board, 'clock' | 'courierList' | 'couriers'>): Promise<readonly Courier[]> {
  if (courierList.status === 'ready') return courierList.couriers;
  const listed = couriers.list().then(
    (list) => list.couriers,
    // The picker shows why the list is empty.
    () => [],
  );
  return (await withTimeout(clock, couriersTimeoutMs, listed)) ?? [];
}

export const openPicker = (
  options: Pick<Picker, 'onChoose' | 'onClose'> & Partial<Pick<Picker, 'likely'>>,
  query = emptyEdit,
): Pick<UiState, 'picker'> => ({ picker: { likely: [], ...options, query, index: 0 } });

export const movePickerSelection =
  (by: number, matching: number) =>
  ({ picker }: Pick<UiState, 'picker'>): Partial<UiState> =>
    picker === null ? {} : { picker: { ...picker, index: moveWithin(picker.index, by, matching - 1) } };

export const setPickerQuery = ({ picker }: Pick<UiState, 'picker'>, query: TextEdit): Partial<UiState> =>
  picker === null ? {} : { picker: { ...picker, query, index: query.text === picker.query.text ? picker.index : 0 } };

/** Closes the picker without choosing a courier. */
function close({ change, ui: { picker } }: Board): void {
  change({ picker: null });
  picker?.onClose?.(picker.query.text);
}

function choose(board: Board): void {
  const { change, courierList, matches, ui } = board;
  const { picker } = ui;
  const chosen = matches[picker?.index ?? 0];
  if (chosen !== undefined) {
    change({ picker: null });
    picker?.onChoose(chosen.code);
  } else if (courierList.status !== 'ready') close(board);
  else showProblem(board, `No courier matches "${picker?.query.text.trim() ?? ''}".`);
}

export const pickerKeys: KeyGroup = {
  context: 'picker',
  title: 'Courier picker',
  isClosed: true,
  text: { read: ({ picker }) => picker?.query ?? emptyEdit, write: setPickerQuery },
  bindings: [
    ...fieldMovementKeys('courier', ({ change, matches }, by) => change(movePickerSelection(by, matches.length))),
    { keys: ['enter'], hint: 'choose', description: 'Choose this courier', alwaysShown: true, run: choose },
    { keys: ['escape'], hint: 'close', description: 'Close without choosing', alwaysShown: true, run: close },
  ],
};
