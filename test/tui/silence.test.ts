import { describe, expect, it } from 'vitest';
import type { NotificationSwitch } from '../../src/notify/notification.ts';
import { aParcel } from '../board/parcels.ts';
import { startBoard } from './board-harness.ts';

function createSwitch(): NotificationSwitch {
  const listeners = new Set<() => void>();
  let silent = false;
  return {
    isSilent: () => silent,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async setSilent(isSilent) {
      silent = isSilent;
      for (const listener of listeners) listener();
    },
  };
}

describe('N', () => {
  it('mutes and unmutes, which the header shows', async () => {
    const notificationSwitch = createSwitch();
    const board = await startBoard([aParcel()], { board: { notificationSwitch } });
    await board.screen.type('N').waitForText('parcel-monitor   silenced');
    await board.screen.waitForText('Notifications muted on all your boards.');
    expect(notificationSwitch.isSilent()).toBe(true);
    await board.screen.type('N').waitUntilGone('parcel-monitor   silenced');
    expect(notificationSwitch.isSilent()).toBe(false);
  });

  it('shows that another board muted notifications', async () => {
    const notificationSwitch = createSwitch();
    const board = await startBoard([aParcel()], { board: { notificationSwitch } });
    await notificationSwitch.setSilent(true);
    await board.screen.waitForText('parcel-monitor   silenced');
  });

  it('says why it does nothing if no channel is set', async () => {
    const board = await startBoard([aParcel()]);
    await board.screen.type('N').waitForText('No notification channel is set.');
  });
});
