import type { Channel } from '../../process/notifications/channel.ts';
import type { Change } from '../../watchlist/changes/change.ts';

/** Sends a message that says it is a trial; answers how that failed as a sentence, null when it did not. */
export async function tryChannel(channel: Channel, now: number): Promise<string | null> {
  const message = 'This is how changes are notified.';
  return await channel.send({ title: 'parcel-monitor', lines: [message] }, [testChange(now, message)]);
}

/** A change as a command gets it, of a parcel that is none. */
function testChange(now: number, message: string): Change {
  const at = new Date(now).toISOString();
  const [from, to] = [{ stage: 'out-for-delivery' as const }, { stage: 'delivered' as const }];
  const parcel = { parcelId: 'test', trackNo: 'TEST', courierCode: null, label: 'Test' };
  return { version: 1, seq: 1, at, noticedAt: at, change: 'status', ...parcel, from, to, message };
}
