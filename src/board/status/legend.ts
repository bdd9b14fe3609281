import type { Segment } from '../text/line.ts';
import { freshnessLooks } from './freshness.ts';
import { rowSigns } from './row-signs.ts';
import { type LookName, stageLooks } from './stage-look.ts';

/** A sign as it is drawn, and what it says. */
export interface LegendEntry {
  readonly sign: Segment;
  readonly meaning: string;
}

/** Signs that stand at one place. */
export interface LegendGroup {
  readonly title: string;
  readonly entries: readonly LegendEntry[];
}

const looks: Readonly<Record<LookName, string>> = {
  attention: 'Needs you: delivery failed, held, refused or going back',
  'out-for-delivery': 'Out for delivery',
  pickup: 'Ready to pick up',
  'in-transit': 'On the way',
  announced: 'Announced by the sender, not yet with the courier',
  'no-record': 'The courier has no record yet',
  unknown: 'A status that is not known here',
  delivered: 'Delivered',
  expired: 'No news for so long that it is no longer checked',
  closed: 'Closed: over without a reported delivery (cancelled, returned, lost), and you have seen that',
  pending: 'Waiting for registration or its first result',
  rejected: 'Not accepted by the service',
  archived: 'Archived, no longer checked',
};

/** What all signs of the board mean, from the most frequent to the rarest. */
export function legend(): readonly LegendGroup[] {
  const accented = (text: string, meaning: string): LegendEntry => ({
    sign: { text, tone: 'accent', bold: true },
    meaning,
  });
  const plain = (text: string, meaning: string): LegendEntry => ({ sign: { text }, meaning });
  return [
    {
      title: 'Signs: where a parcel is',
      entries: Object.entries(looks).map(([look, meaning]) => {
        const { symbol, tone } = stageLooks[look as LookName];
        return { sign: { text: symbol, tone, bold: true }, meaning };
      }),
    },
    {
      title: 'Signs: rows',
      entries: [
        accented(rowSigns.selected, 'Selected'),
        accented(rowSigns.marked, 'Marked, to act on several at once'),
        accented(rowSigns.unread, 'Has changes that nobody has looked at; in the timeline, a new event'),
        plain(freshnessLooks.checking.sign, 'Being checked now'),
        plain(freshnessLooks.failed.sign, 'The last check failed: what is shown may be old'),
        plain(freshnessLooks.late.sign, 'Its check is late: what is shown may be old'),
        plain(
          freshnessLooks.doubtful.sign,
          'old? – the service could not look it up at the courier: what is shown may be old',
        ),
      ],
    },
    {
      title: 'Signs: times',
      entries: [
        plain('Age', 'Time since the newest event: m minutes, h hours, d days, y years'),
        plain('~', 'The courier gave no time zone: a time can be hours off, an age is what is certain'),
        plain('±', 'Time and time zone contradict each other'),
        plain('●', 'The newest event, and on the bar where the parcel is'),
        plain('○', 'An earlier event'),
        plain('×3', 'The same event was given three times'),
      ],
    },
  ];
}
