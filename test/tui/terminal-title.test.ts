import { describe, expect, it } from 'vitest';
import { hasTitle } from '../../src/notify/channels.ts';
import { ago, aParcel } from '../board/parcels.ts';
import { startBoard } from './board-harness.ts';

it.each([
  ['xterm-256color', 'linux', true],
  ['tmux-256color', 'linux', true],
  ['linux', 'linux', false],
  ['dumb', 'darwin', false],
  ['', 'linux', false],
  ['', 'win32', true],
])('a terminal has a title with TERM %j on %s: %j', (TERM, platform, expected) => {
  expect(hasTitle({ TERM }, platform)).toBe(expected);
});

describe('the board', () => {
  it('shows news in the title, and restores the title at the end', async () => {
    const board = await startBoard([aParcel()]);
    const written: string[] = [];
    const { stdout } = board.screen;
    const write = stdout.write.bind(stdout);
    stdout.write = ((chunk: string, ...rest: never[]) => {
      written.push(chunk);
      return write(chunk, ...rest);
    }) as typeof stdout.write;
    board.monitor.change('parcel-1', { unread: { since: ago(0), lastRead: null } });
    await expect.poll(() => written.join('')).toContain('\u001b]0;1 new · parcel-monitor\u001b\\');
    await board.stop();
    expect(written.join('').split('\u001b[23;0t')).toHaveLength(2);
  });

  it.each([{ hasTitle: false }, { title: false }])('leaves the title alone if configured: %j', async (options) => {
    const board = await startBoard([aParcel()], { board: options });
    expect(board.screen.title()).toBe('');
  });
});
