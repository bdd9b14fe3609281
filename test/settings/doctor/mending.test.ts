import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { NotAFileError, StoreError } from '../../../src/lib/store-errors.ts';
import {
  fail,
  fixForConfiguration,
  fixForFolder,
  fixForSetting,
  fixForStore,
  fixForVariable,
} from '../../../src/settings/doctor/fix-hints.ts';
import { createTestFolder } from '../../support/test-folder.ts';

async function configFile(content: string): Promise<string> {
  const folder = await createTestFolder();
  const path = join(folder, 'config.json');
  await writeFile(path, content);
  return path;
}

describe('the command that fixes a problem', () => {
  it.each([
    ['Give it back.', 'Give it back. Run: chown me /a'],
    ['"chown me /a" makes it yours again.', '"chown me /a" makes it yours again.'],
    ['"chown me /a/b" makes it yours again.', '"chown me /a/b" makes it yours again. Run: chown me /a'],
  ])('appears once in the advice: %s', (advice, whole) => {
    expect(fail('folder', 'cannot be used', advice, 'chown me /a').advice).toBe(whole);
  });

  it.each([
    ['linux', 'unset PARCEL_MONITOR_ZONE'],
    ['darwin', 'unset PARCEL_MONITOR_ZONE'],
    ['win32', 'Remove-Item Env:PARCEL_MONITOR_ZONE (in cmd: set PARCEL_MONITOR_ZONE=)'],
  ])('unsets a variable in the syntax of the shells on %s', async (platform, command) => {
    expect(fixForVariable('PARCEL_MONITOR_ZONE', platform)).toBe(command);
    const context = { environment: { PARCEL_MONITOR_ZONE: 'Mars/Olympus' }, platform };
    expect(await fixForConfiguration(context, { ascii: false }, await configFile('{}'))).toBe(command);
  });

  it.each([
    ['linux', "mv '/a b/c' '/a b/c.old'", "chmod u+rwX '/a b/c'", "df -h '/a b'"],
    ['win32', 'move "/a b/c" "/a b/c.old"', 'icacls "/a b/c"', 'fsutil volume diskfree "/a b"'],
  ])('exists on %s', (platform, moveAside, grantAccess, showSpace) => {
    const path = '/a b/c';
    expect(fixForStore(new NotAFileError(path, 'a folder'), platform)).toBe(moveAside);
    expect(fixForStore(new StoreError('no-permission', '', path, null), platform)).toBe(grantAccess);
    expect(fixForStore(new StoreError('disk-full', '', path, null), platform)).toBe(showSpace);
    expect(fixForFolder('/a b', platform, 'ENOSPC')).toBe(showSpace);
  });

  it("quotes arguments for the platform's shells", () => {
    const options = { config: "C:\\Program Files\\it's.json" };
    expect(fixForSetting('zonne', options, 'win32')).toBe(
      'parcel-monitor config unset zonne --config "C:\\Program Files\\it\'s.json"',
    );
    expect(fixForSetting('zonne', { config: 'C:\\me.json' }, 'win32')).toBe(
      'parcel-monitor config unset zonne --config C:\\me.json',
    );
    expect(fixForSetting('views', {}, 'linux')).toBe('parcel-monitor config edit');
    expect(fixForSetting('zonne', options, 'linux')).toContain("'C:\\Program Files\\it'\\''s.json'");
  });
});
