import { type BoardSetup, missingSetting } from '../../board/setup/board-setup.ts';
import type { Line } from '../../board/text/line.ts';
import { paragraphLines } from '../../board/text/paragraph.ts';

/** What is missing and how to set it, in a pane of so many cells; empty where nothing is. */
export function missingText(setup: BoardSetup, width: number): readonly Line[] {
  if (setup.kind === 'ready') return [];
  const room = Math.max(10, width - 1);
  return [
    ...paragraphLines(`There is no ${missingSetting(setup)} yet, so nothing is checked.`, room, { bold: true }, 1),
    ...paragraphLines('Press C to set it up, or run "parcel-monitor setup".', room, {}, 1),
    ...(setup.baseUrl === null ? [] : paragraphLines(`The service is ${setup.baseUrl}.`, room, {}, 1)),
    ...paragraphLines(`It is kept in ${setup.configFile}, which an open board takes over at once.`, room, {}, 1),
    ...paragraphLines('Numbers that you add now are kept and registered once the service is set up.', room, {}, 1),
  ];
}
