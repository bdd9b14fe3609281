import type { EpochMs } from '../lib/clock.ts';
import { sameCourier, sameParcel } from '../parcels/identity.ts';
import type { Parcel } from '../parcels/parcel.ts';
import { asRead, registerAgain } from '../parcels/parcel-factory.ts';
import { differences, type ListChange, type ParcelDifference } from '../parcels/parcel-list.ts';
import type { MonitorCore } from './monitor-core.ts';
import type { UndoableKind, UndoOutcome, UndoStep } from './state.ts';

const maxSteps = 100;

export class UndoLog {
  readonly #core: MonitorCore;
  #steps: readonly (readonly UndoStep[])[] = [];
  /** Undone steps, the last one at the end. Cleared by any new change. */
  #undone: readonly UndoStep[] = [];
  #group: UndoStep[] | null = null;

  constructor(core: MonitorCore) {
    this.#core = core;
  }

  /** @param restore applied to a removed parcel when undo restores it; such an undo cannot be redone */
  async commit(kind: UndoableKind, change: ListChange, restore?: (parcel: Parcel) => Parcel): Promise<void> {
    let changes: readonly ParcelDifference[] = [];
    const written = this.#core.log.commit((current) => {
      const changed = change(current);
      changes = differences(current, changed).map(({ after, before }) => ({
        after,
        before: after === null && before !== null ? (restore?.(before) ?? before) : before,
      }));
      return changed;
    });
    if (changes.length > 0) this.#remember({ kind, changes: () => changes, isFinal: restore !== undefined });
    await written;
  }

  async together<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#group !== null) return await work();
    const group: UndoStep[] = [];
    this.#group = group;
    try {
      return await work();
    } finally {
      this.#group = null;
      this.#push(group);
    }
  }

  steps(): readonly (readonly UndoStep[])[] {
    return this.#steps;
  }

  continueFrom(steps: readonly (readonly UndoStep[])[]): void {
    this.#steps = [...steps, ...this.#steps].slice(-maxSteps);
    this.#show();
  }

  /** Describes the steps that can be undone or redone, such as `removing Lamp`, the next one first. */
  list(): Readonly<Record<'redo' | 'undo', readonly string[]>> {
    return {
      undo: this.#steps.toReversed().map((steps) => stepText(steps)),
      redo: this.#undone.toReversed().map((step) => stepText([step])),
    };
  }

  /**
   * Undoes the last step. Returns null if there isn't one. If this throws a `StoreError`, the step is undone in memory and
   * written later.
   */
  async undo(): Promise<UndoOutcome | null> {
    const steps = this.#steps.at(-1);
    if (steps === undefined) return null;
    this.#steps = this.#steps.slice(0, -1);
    const { isComplete, step, written } = this.#revert(steps);
    const isFinal = step === null || steps.some((undone) => undone.isFinal === true);
    this.#undone = isFinal ? [] : [...this.#undone, step];
    this.#show();
    await written;
    const text = outcomeText(steps, 'undone');
    return this.#outcome(steps, isComplete() ? (restoredText(steps) ?? text) : `${text} ${keptText}`);
  }

  /** Redoes the last undone step, with the same errors as {@link undo}. Returns null if there is nothing to redo. */
  async redo(): Promise<UndoOutcome | null> {
    const undone = this.#undone.at(-1);
    if (undone === undefined) return null;
    this.#undone = this.#undone.slice(0, -1);
    const { isComplete, step, written } = this.#revert([undone]);
    if (step !== null) this.#steps = [...this.#steps, [step]].slice(-maxSteps);
    this.#show();
    await written;
    const text = outcomeText([undone], 'redone');
    return this.#outcome([undone], isComplete() ? text : `${text} ${keptText}`);
  }

  /** Reverts steps. `step` is the opposite step, or null if nothing changed. */
  #revert(steps: readonly UndoStep[]) {
    const now = this.#core.clock.now();
    let isComplete = true;
    let reverted: readonly ParcelDifference[] = [];
    const written = this.#core.log.commit((current) => {
      // Read again each time, because retrying a write can change what a step did.
      const { parcels, complete } = undoChanges(current, changesOf(steps.toReversed()), now);
      isComplete = complete;
      reverted = differences(current, parcels);
      return parcels;
    });
    const step = reverted.length === 0 ? null : { kind: kindOf(steps), changes: () => reverted };
    return { isComplete: () => isComplete, step, written };
  }

  #outcome(steps: readonly UndoStep[], message: string): UndoOutcome {
    const ids =
      kindOf(steps) === 'read' ? [] : changesOf(steps).map(({ before, after }) => (before ?? after)?.id ?? '');
    return { message, parcelIds: [...new Set(ids)].filter((id) => this.#core.log.find(id) !== null) };
  }

  #remember(step: UndoStep): void {
    if (this.#group === null) this.#push([step]);
    else this.#group.push(step);
  }

  #push(steps: readonly UndoStep[]): void {
    if (steps.length === 0) return;
    this.#steps = [...this.#steps, steps].slice(-maxSteps);
    this.#undone = [];
    this.#show();
  }

  #show(): void {
    const [steps, undone] = [this.#steps.at(-1), this.#undone.at(-1)];
    const undoable = steps === undefined ? null : stepText(steps);
    const redoable = undone === undefined ? null : stepText([undone]);
    const state = this.#core.state.get();
    if (state.undoable !== undoable || state.redoable !== redoable) this.#core.change({ redoable, undoable });
  }
}

/** What each kind of step does, and what state the parcel is in after an undo and after a redo. */
const kindTexts: Readonly<
  Record<UndoableKind, { doing: (subject: string) => string; undone: string; redone: string }>
> = {
  add: { doing: (subject) => `adding ${subject}`, undone: 'no longer on the list', redone: 'on the list again' },
  edit: {
    doing: (subject) => `changing ${subject}`,
    undone: 'back to its previous state',
    redone: 'back to its changed state',
  },
  archive: { doing: (subject) => `archiving ${subject}`, undone: 'back on the list', redone: 'archived again' },
  restore: { doing: (subject) => `restoring ${subject}`, undone: 'archived again', redone: 'back on the list' },
  remove: { doing: (subject) => `removing ${subject}`, undone: 'back on the list', redone: 'no longer on the list' },
  read: { doing: (subject) => `marking ${subject} as read`, undone: 'unread again', redone: 'marked as read again' },
};

/** Describes a step, such as `removing Lamp`. */
const stepText = (steps: readonly UndoStep[]): string => kindTexts[kindOf(steps)].doing(describeSubject(steps).text);

const keptText = 'Later changes were kept.';

function outcomeText(steps: readonly UndoStep[], outcome: 'redone' | 'undone'): string {
  const { isSingle, text } = describeSubject(steps);
  const state = kindTexts[kindOf(steps)][outcome];
  return isSingle ? `${text} is ${state}.` : `${text} are ${state.replace('its', 'their')}.`;
}

function restoredText(steps: readonly UndoStep[]): string | null {
  if (kindOf(steps) !== 'edit') return null;
  const changes = changesOf(steps);
  const field = changes.length === 0 ? null : changes.map(editedField).reduce((a, b) => (a === b ? a : null));
  if (field === null) return null;
  return `Restored the ${field} of ${describeSubject(steps).text}.`;
}

function editedField({ before, after }: ParcelDifference): 'label' | 'note' | 'tags' | null {
  if (before === null || after === null) return null;
  const fields = (Object.keys({ ...before, ...after }) as (keyof Parcel)[]).filter(
    (field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]),
  );
  const [field, ...others] = fields;
  if (others.length > 0) return null;
  if (field === 'label') return before.label === null ? null : field;
  return field === 'tags' || field === 'note' ? field : null;
}

const changesOf = (steps: readonly UndoStep[]): readonly ParcelDifference[] => steps.flatMap((step) => step.changes());

function kindOf(steps: readonly UndoStep[]): UndoableKind {
  const [first, ...others] = steps;
  return first !== undefined && others.every(({ kind }) => kind === first.kind) ? first.kind : 'edit';
}

function describeSubject(steps: readonly UndoStep[]): { readonly text: string; readonly isSingle: boolean } {
  const parcels = new Map<string, Parcel>();
  for (const { before, after } of changesOf(steps)) {
    const parcel = before ?? after;
    if (parcel !== null && !parcels.has(parcel.id)) parcels.set(parcel.id, parcel);
  }
  const [only] = parcels.values();
  const isSingle = parcels.size === 1;
  return {
    text: isSingle && only !== undefined ? (only.label ?? only.trackNo) : `${parcels.size} parcels`,
    isSingle,
  };
}

/**
 * Undoes changes. Resets only what has not changed since, and keeps news and later changes. `complete` is false if
 * something could not be undone because it was changed again later.
 */
export function undoChanges(list: readonly Parcel[], changes: readonly ParcelDifference[], now: EpochMs) {
  let complete = true;
  const parcels = new Map(list.map((parcel) => [parcel.id, parcel]));
  for (const { before, after } of changes) {
    if (before === null) {
      if (after !== null) parcels.delete(after.id);
    } else if (after === null) {
      if ([...parcels.values()].some((parcel) => parcel.id === before.id || sameParcel(parcel, before)))
        complete = false;
      else parcels.set(before.id, before);
    } else {
      const current = parcels.get(after.id);
      const undone = current === undefined ? null : undoParcelChange(current, before, after, now);
      if (undone !== null) parcels.set(after.id, undone.parcel);
      complete &&= undone?.complete ?? false;
    }
  }
  return { parcels: [...parcels.values()], complete };
}

interface FieldGroup {
  /** The group counts as changed if one of these fields changed. */
  readonly compared: readonly (keyof Parcel)[];
  /** Further fields that are reset with the group. */
  readonly dependent: readonly (keyof Parcel)[];
}

function fieldGroups(before: Parcel, after: Parcel): readonly FieldGroup[] {
  const hasNewHistory = before.historyId !== after.historyId;
  return [
    ...(['label', 'note', 'tags', 'snoozed'] as const).map((field) => ({ compared: [field], dependent: [] })),
    {
      compared: ['archivedAt'],
      dependent: [
        'autoArchived',
        'restoredAt',
        'nextPollAt',
        'fruitlessPolls',
        'deliveryConfirmed',
        'endedAt',
        'plannedFor',
        'unconfirmedSince',
      ],
    },
    { compared: ['extras', 'merchant'], dependent: [] },
    {
      compared: ['courierCode', 'courierPinned'],
      dependent: hasNewHistory ? ['historyId', 'record', 'lastEvent', 'checkpointCount', 'checkedAt'] : [],
    },
  ];
}

function undoParcelChange(current: Parcel, before: Parcel, after: Parcel, now: EpochMs) {
  let parcel = current;
  let complete = true;
  for (const { compared, dependent } of fieldGroups(before, after)) {
    if (sameFields(before, after, compared)) continue;
    if (sameFields(current, after, compared)) parcel = copyFields(parcel, before, [...compared, ...dependent]);
    else complete = false;
  }
  // The parcel was already unread before the change, so later news belongs to the same unread mark.
  if (before.unread !== undefined && after.unread === undefined) parcel = { ...parcel, unread: before.unread };
  // The change marked the parcel as unread.
  if (before.unread === undefined && after.unread !== undefined && sameFields(current, after, ['unread']))
    parcel = asRead(parcel);
  const needsRegistration =
    !sameCourier(parcel.courierCode, current.courierCode) || !sameFields(parcel, current, detailFields);
  // The service already has the change, so the old fields must be sent again.
  return { parcel: needsRegistration ? registerAgain(parcel, now) : parcel, complete };
}

function copyFields(parcel: Parcel, source: Parcel, fields: readonly (keyof Parcel)[]): Parcel {
  const isCopied = (field: string): boolean => fields.some((name) => name === field);
  // Also drops the fields that the source does not have.
  const others = Object.entries(parcel).filter(([field]) => !isCopied(field));
  const copied = Object.entries(source).filter(([field]) => isCopied(field));
  return Object.fromEntries<unknown>([...others, ...copied]) as unknown as Parcel;
}

const detailFields = ['extras', 'merchant'] as const;

function sameFields(a: Parcel, b: Parcel, fields: readonly (keyof Parcel)[]): boolean {
  return fields.every((field) => a[field] === b[field] || JSON.stringify(a[field]) === JSON.stringify(b[field]));
}
