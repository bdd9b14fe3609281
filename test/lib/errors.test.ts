import { describe, expect, it } from 'vitest';
import { StoreError, toStoreError } from '../../src/lib/store-errors.ts';

describe('toStoreError', () => {
  it.each([
    ['EROFS', 'read-only', /read-only file system/],
    ['EACCES', 'no-permission', /^Permission denied: /],
    ['EPERM', 'no-permission', /^Permission denied: /],
    ['ENOSPC', 'disk-full', /Free some space/],
    ['EDQUOT', 'disk-full', /Free some space/],
    ['EISDIR', 'failed', /Move it somewhere else/],
    ['ELOOP', 'failed', /symbolic links in its path form a loop\. Fix or remove them/],
    ['EIO', 'failed', /EIO/],
  ])('turns %s into a %s error that names the file and keeps the cause', (code, kind, message) => {
    const cause = Object.assign(new Error('refused by the system'), { code });
    const error = toStoreError(cause, '/data/watchlist.json');
    expect(error).toMatchObject({ kind, path: '/data/watchlist.json', cause });
    expect(error.message).toMatch(message);
    expect(error.message).toContain('/data/watchlist.json');
  });

  it('reports a full disk even if closing the file fails too', async () => {
    const fail = async (): Promise<never> => {
      throw Object.assign(new Error('full'), { code: 'ENOSPC' });
    };
    const write = async (): Promise<void> => {
      await using _file: AsyncDisposable = { [Symbol.asyncDispose]: fail };
      await fail();
    };
    const error: unknown = await write().catch((reason: unknown) => reason);
    expect(toStoreError(error, '/data/watchlist.json').kind).toBe('disk-full');
  });

  it('does not change a store error', () => {
    const error = new StoreError('disk-full', 'full', '/data');
    expect(toStoreError(error, '/other')).toBe(error);
  });
});
