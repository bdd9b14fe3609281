/** Cells of a pane, frame included. */
export interface PaneSize {
  readonly width: number;
  readonly height: number;
}

export const mainPanes = ['list', 'timeline'] as const;
type MainPane = (typeof mainPanes)[number];

interface Division {
  readonly body: PaneSize;
  readonly list: PaneSize;
  readonly timeline: PaneSize;
}

export type Layout =
  | { readonly kind: 'too-small' }
  | (Division & { readonly kind: 'side-by-side' | 'stacked' })
  | (Division & {
      readonly kind: 'single';
      readonly pane: MainPane;
      /** Whether the user wanted it so; otherwise the window is too small for two. */
      readonly isZoomed: boolean;
    });

const sideBySideFrom = 84;
const stackedFrom = 24;
export const leastColumns = 40;
export const leastRows = 10;

const fixedRows = 3;
const widestTimeline = 96;
const lowBody = 24;

/**
 * Divides a terminal.
 * @param focused which of the two panes has, or had last, the focus
 * @param bannerRows lines under the header that tell of a problem
 * @param zoom whether one pane has the window for itself; null lets its size decide
 */
export function layoutOf(
  columns: number,
  rows: number,
  focused: MainPane,
  bannerRows: number,
  zoom: boolean | null = null,
): Layout {
  if (columns < leastColumns || rows < leastRows) return { kind: 'too-small' };
  const body = { width: columns, height: rows - fixedRows - bannerRows };
  const isSideBySide = columns >= sideBySideFrom;
  const isSmall = !isSideBySide && rows < stackedFrom;
  if (zoom ?? isSmall) {
    return { kind: 'single', body, pane: focused, isZoomed: !isSmall, list: body, timeline: body };
  }
  if (isSideBySide) {
    const width = Math.min(widestTimeline, Math.floor(columns * 0.47));
    return {
      kind: 'side-by-side',
      body,
      list: { ...body, width: columns - width },
      timeline: { ...body, width },
    };
  }
  const share = body.height >= lowBody ? 0.5 : focused === 'list' ? 0.58 : 0.42;
  const height = Math.min(Math.max(3, Math.round(body.height * share)), body.height - 3);
  return {
    kind: 'stacked',
    body,
    list: { ...body, height },
    timeline: { ...body, height: body.height - height },
  };
}

export const showsTimeline = (layout: Layout): boolean =>
  layout.kind === 'single' ? layout.pane === 'timeline' : layout.kind !== 'too-small';

const noSize: PaneSize = { width: 0, height: 0 };

/** The sizes of a layout's panes; without any cell where there is no room for them. */
export const sizesOf = (layout: Layout): Pick<Division, 'body' | 'list' | 'timeline'> =>
  layout.kind === 'too-small' ? { list: noSize, timeline: noSize, body: noSize } : layout;

/** Panes that can have the focus, in the order of Tab. */
const panes = ['list', 'timeline', 'add'] as const;
type Pane = (typeof panes)[number];

export type Focus = Pane | 'filter';

/** Which of list and timeline has the focus, or has it again when a field is left. */
export const mainPaneOf = (focus: Focus): MainPane => (focus === 'timeline' ? 'timeline' : 'list');

/**
 * The pane after or before the focused one.
 * @param isZoomed one pane has the window for itself: then the other one takes its place, and not the bar below, where the
 * key that shows both would be text
 */
export function neighbourPane(focus: Focus, step: 1 | -1, isZoomed = false): Pane {
  if (isZoomed) return focus === 'list' ? 'timeline' : 'list';
  const at = focus === 'filter' ? 0 : panes.indexOf(focus);
  return panes[(at + step + panes.length) % panes.length] ?? 'list';
}
