import { cellWidth } from '../text/cells.ts';

/**
 * The title of the news, with how much of them came since the user looked last, in about `room` cells. The word "new" is kept for
 * unread parcels.
 */
export function newsHeading(since: number, room: number): string {
  if (since === 0) return 'News';
  const short = `News · ${since}`;
  const titles = [`${short} since you last looked`, `${short} not seen`];
  return titles.find((title) => cellWidth(title) <= room) ?? short;
}
