/** Size of a pane in cells, including its frame. */
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

/** If the window is too small, all sizes are zero. */
export type Layout = Division &
  (
    | { readonly kind: 'too-small' | 'side-by-side' | 'stacked' }
    | {
        readonly kind: 'single';
        readonly pane: MainPane;
        /** Whether the user zoomed the pane. If not, the window is too small for two panes. */
        readonly isZoomed: boolean;
      }
  );

/** Minimum columns to show the timeline next to a list with journeys. */
const minSideBySideColumns = 148;
/** In a window with few rows, fewer columns are enough, because panes are taller side by side. */
const minSideBySideColumnsIfLow = 84;
const minStackedRows = 24;
const minTwoPaneRows = 16;
export const minColumns = 40;
export const minRows = 10;

const noSize: PaneSize = { width: 0, height: 0 };
const fixedRows = 3;
const timelineShare = 0.36;
const maxTimelineCells = 96;
const tallBodyRows = 24;

/**
 * Divides the window into panes.
 * @param focused the pane that has, or last had, the focus
 * @param bannerRows number of lines of the banner below the header
 * @param zoom whether one pane fills the window, or null to decide by its size
 */
export function layoutOf(
  columns: number,
  rows: number,
  focused: MainPane,
  bannerRows: number,
  zoom: boolean | null = null,
): Layout {
  if (columns < minColumns || rows < minRows)
    return { kind: 'too-small', body: noSize, list: noSize, timeline: noSize };
  const body = { width: columns, height: rows - fixedRows - bannerRows };
  const isSideBySide = columns >= (rows < minStackedRows ? minSideBySideColumnsIfLow : minSideBySideColumns);
  const isSmall = rows < minTwoPaneRows || (!isSideBySide && rows < minStackedRows);
  if (zoom ?? isSmall) {
    return { kind: 'single', body, pane: focused, isZoomed: !isSmall, list: body, timeline: body };
  }
  if (isSideBySide) {
    const width = Math.min(maxTimelineCells, Math.floor(columns * timelineShare));
    return {
      kind: 'side-by-side',
      body,
      list: { ...body, width: columns - width },
      timeline: { ...body, width },
    };
  }
  const share = body.height >= tallBodyRows ? 0.6 : focused === 'list' ? 0.58 : 0.42;
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

/** The panes that can have the focus, in Tab order. */
const panes = ['list', 'timeline', 'add'] as const;
type Pane = (typeof panes)[number];

export type Focus = Pane | 'filter';

/** Returns the pane that has the focus, or that gets it when the user leaves the input bar or the filter. */
export const mainPaneOf = (focus: Focus): MainPane => (focus === 'timeline' ? 'timeline' : 'list');

/**
 * Returns the next or previous pane.
 * @param isZoomed if so, skips the input bar, in which the key that shows both panes would be typed as text
 */
export function neighbourPane(focus: Focus, step: 1 | -1, isZoomed = false): Pane {
  if (isZoomed) return focus === 'list' ? 'timeline' : 'list';
  const at = focus === 'filter' ? 0 : panes.indexOf(focus);
  return panes[(at + step + panes.length) % panes.length] ?? 'list';
}
