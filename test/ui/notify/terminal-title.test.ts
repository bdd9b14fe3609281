import { describe, expect, it } from 'vitest';
import { hasTitle, TerminalTitle } from '../../../src/ui/notify/terminal-title.ts';
import { ago, aParcel } from '../../board/parcels.ts';
import { startBoard } from '../board-harness.ts';

function recordedTitle(): { readonly title: TerminalTitle; readonly written: string[] } {
  const written: string[] = [];
  return { title: new TerminalTitle((sequence) => written.push(sequence)), written };
}

describe('the title of a terminal', () => {
  it('is saved before the first one, and written only when it changes', () => {
    const { title, written } = recordedTitle();
    for (const text of ['a', 'a', 'b']) title.show(text);
    expect(written).toEqual(['\u001b[22;0t\u001b]0;a\u001b\\', '\u001b]0;b\u001b\\']);
  });

  it('is given back once, and not before it was taken', () => {
    const { title } = recordedTitle();
    expect(title.takeRestoration()).toBe('');
    title.show('a');
    expect(title.takeRestoration()).toBe('\u001b[23;0t');
    expect(title.takeRestoration()).toBe('');
  });

  it('is saved again when it is taken again', () => {
    const { title, written } = recordedTitle();
    title.show('a');
    title.takeRestoration();
    title.showAgain();
    expect(written.at(-1)).toBe('\u001b[22;0t\u001b]0;a\u001b\\');
    expect(title.takeRestoration()).toBe('\u001b[23;0t');
  });

  it('is given back as soon as it is not wanted any more', () => {
    const { title, written } = recordedTitle();
    for (const text of ['a', null, null, 'b']) title.show(text);
    expect(written.slice(1)).toEqual(['\u001b[23;0t', '\u001b[22;0t\u001b]0;b\u001b\\']);
  });

  it.each([
    ['xterm-256color', 'linux', true],
    ['tmux-256color', 'linux', true],
    ['linux', 'linux', false],
    ['dumb', 'darwin', false],
    ['', 'linux', false],
    ['', 'win32', true],
  ])('is there with TERM %j on %s: %j', (TERM, platform, expected) => {
    expect(hasTitle({ TERM }, platform)).toBe(expected);
  });
});

describe('the board', () => {
  it('shows in the title what is new, and gives the title back in the end', async () => {
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

  it.each([{ hasTitle: false }, { title: false }])('leaves the title alone where that is wished: %j', async (wish) => {
    const board = await startBoard([aParcel()], { board: wish });
    expect(board.screen.title()).toBe('');
    await board.stop();
  });
});
