import { cellWidth, cut, lineWidth } from '../lib/cells.ts';
import type { Line, Segment } from '../lib/paint.ts';
import type { Parcel } from '../parcels/parcel.ts';
import { createFilter } from './filter.ts';
import type { FilterContext } from './filter-terms.ts';
import { isListed } from './list/arrange.ts';
import type { View } from './views.ts';

/** Returns the number of watched parcels in each view. */
export function viewCounts(
  views: readonly View[],
  parcels: readonly Parcel[],
  context: FilterContext,
  textOf: (parcel: Parcel) => string,
): readonly number[] {
  const watched = parcels.filter((parcel) => isListed(parcel, 'watched'));
  return views.map(({ filter = '' }) => watched.filter(createFilter(filter, context, textOf)).length);
}

export interface ViewTab {
  readonly name: string;
  readonly count: number;
  readonly isCurrent: boolean;
  /** Whether the filter or order of the list differs from the view's. */
  readonly isChanged: boolean;
}

/** Position of a tab: its first cell, and the cell after its last one. */
interface TabPlace {
  readonly index: number;
  readonly from: number;
  readonly to: number;
}

export interface TabRow {
  readonly left: Line;
  readonly right: string;
  /** In cells from the start of the row. */
  readonly places: readonly TabPlace[];
}

/** What the list currently shows. */
interface ListState {
  /** Whether filter and order are those of the current tab. */
  readonly matchesView: boolean;
  /** Number of marked parcels, as text. May be empty. */
  readonly marked: string;
  readonly filter: string;
  readonly order: string;
}

interface TabForm {
  readonly index: number;
  readonly isCurrent: boolean;
  readonly text: string;
}

/** Cells for a space on both sides, or for the brackets around the current tab. */
const tabPadding = 2;
const separator = '│';
/** Cells around the text on the right: spaces and a piece of the frame. */
const rightMargin = 3;
/** Number of views that can be selected with a number key. */
const maxNumbered = 9;

const tabsWidth = (forms: readonly TabForm[]): number =>
  forms.reduce((sum, { text }) => sum + cellWidth(text) + tabPadding, Math.max(0, forms.length - 1));

/**
 * Lays out the tabs, with the state of the list to their right. If space is short, first drops what the current tab
 * already says, then reduces tabs to their numbers, then leaves out the tabs farthest from the current one.
 * @param width width of the row, in cells
 */
export function tabRow(
  tabs: readonly ViewTab[],
  { filter, matchesView, marked, order }: ListState,
  width: number,
): TabRow {
  const forms = tabs.map((tab, index): TabForm => ({ index, isCurrent: tab.isCurrent, text: fullText(tab, index) }));
  const joinTexts = (parts: readonly string[]): string => parts.filter((part) => part !== '').join(' · ');
  const all = joinTexts(matchesView ? [order, marked] : [filter, order, marked]);
  const essential = joinTexts(matchesView ? [marked] : [filter === '' ? order : filter, marked]);
  const roomBeside = (right: string): number => width - (right === '' ? 0 : cellWidth(right) + rightMargin);
  const fittingText = [all, essential].find((right) => tabsWidth(forms) <= roomBeside(right));
  const right = fittingText ?? cut(essential, Math.max(0, Math.floor(width / 2) - rightMargin));
  return layOutTabs(fittingText === undefined ? fitTabs(forms, roomBeside(right)) : forms, right);
}

const fullText = ({ count, isChanged, name }: ViewTab, index: number): string =>
  `${index < maxNumbered ? `${index + 1} ` : ''}${name}${isChanged ? '*' : ''} ${count}`;

function fitTabs(forms: readonly TabForm[], room: number): readonly TabForm[] {
  const current = Math.max(
    0,
    forms.findIndex(({ isCurrent }) => isCurrent),
  );
  const farthestFirst = forms
    .filter(({ index }) => index !== current)
    .toSorted((a, b) => Math.abs(b.index - current) - Math.abs(a.index - current) || b.index - a.index);
  let fittedForms = [...forms];
  for (const { index } of farthestFirst) {
    if (tabsWidth(fittedForms) <= room) return fittedForms;
    fittedForms = fittedForms.map((form) =>
      form.index === index ? { ...form, text: index < maxNumbered ? `${index + 1}…` : '…' } : form,
    );
  }
  for (const { index } of farthestFirst) {
    if (tabsWidth(fittedForms) <= room) return fittedForms;
    fittedForms = fittedForms.filter((form) => form.index !== index);
  }
  return fittedForms.map((form) => ({ ...form, text: cut(form.text, Math.max(0, room - tabPadding)) }));
}

const bracket = (text: string): Segment => ({ text, tone: 'accent', bold: true });

function layOutTabs(forms: readonly TabForm[], right: string): TabRow {
  let left: Line = [];
  const places: TabPlace[] = [];
  for (const { index, isCurrent, text } of forms) {
    if (left.length > 0) left = [...left, { text: separator, tone: 'quiet' }];
    const from = lineWidth(left);
    left = isCurrent
      ? [...left, bracket('['), { text, bold: true }, bracket(']')]
      : [...left, { text: ` ${text} `, tone: 'quiet' }];
    places.push({ index, from, to: from + cellWidth(text) + tabPadding });
  }
  return { left, right, places };
}
