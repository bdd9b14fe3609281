import { describe, expect, it } from 'vitest';
import { ignoredFolders, programPaths } from '../../src/settings/config-file.ts';
import { UnavailableError, UsageError } from '../../src/settings/errors.ts';

const paths = (source: Partial<Parameters<typeof programPaths>[0]>, config?: string) =>
  programPaths(
    { environment: {}, homeDirectory: '/home/ada', platform: 'linux', ...source },
    config === undefined ? {} : { config },
  );

describe("the program's paths", () => {
  it.each(['linux', 'darwin', 'freebsd'])('are the XDG defaults on %s', (platform) => {
    expect(paths({ platform })).toEqual({
      config: '/home/ada/.config/parcel-monitor/config.json',
      data: '/home/ada/.local/share/parcel-monitor',
      watchlist: '/home/ada/.local/share/parcel-monitor/watchlist.json',
      history: '/home/ada/.local/share/parcel-monitor/history',
      changes: '/home/ada/.local/share/parcel-monitor/changes.jsonl',
      state: '/home/ada/.local/state/parcel-monitor',
      couriers: '/home/ada/.cache/parcel-monitor/couriers.json',
    });
  });

  it('follow the XDG variables', () => {
    const environment = { XDG_CONFIG_HOME: '/c', XDG_DATA_HOME: '/d', XDG_STATE_HOME: '/s', XDG_CACHE_HOME: '/k' };
    expect(paths({ environment })).toEqual({
      config: '/c/parcel-monitor/config.json',
      data: '/d/parcel-monitor',
      watchlist: '/d/parcel-monitor/watchlist.json',
      history: '/d/parcel-monitor/history',
      changes: '/d/parcel-monitor/changes.jsonl',
      state: '/s/parcel-monitor',
      couriers: '/k/parcel-monitor/couriers.json',
    });
  });

  it('need an absolute home folder', () => {
    expect(() => paths({ homeDirectory: null })).toThrow(UnavailableError);
    for (const homeDirectory of ['', '.', 'home/ada', '../ada']) {
      expect(() => paths({ homeDirectory })).toThrow(UsageError);
      expect(() => paths({ homeDirectory }, '/c/config.json')).toThrow(/HOME/);
    }
    expect(() => paths({ platform: 'win32', homeDirectory: 'Users' })).toThrow(/USERPROFILE/);
    const environment = { XDG_CONFIG_HOME: '/c', XDG_DATA_HOME: '/d', XDG_STATE_HOME: '/s', XDG_CACHE_HOME: '/k' };
    expect(paths({ environment, homeDirectory: null })).toEqual(paths({ environment }));
    const { XDG_CONFIG_HOME: _config, ...others } = environment;
    expect(() => paths({ environment: others, homeDirectory: '' })).toThrow(UsageError);
    expect(paths({ environment: others, homeDirectory: '' }, '/c/config.json').config).toBe('/c/config.json');
  });

  it('ignore relative and empty XDG values, and report relative ones', () => {
    const environment = { XDG_CONFIG_HOME: 'c', XDG_DATA_HOME: './d', XDG_STATE_HOME: '', XDG_CACHE_HOME: '../k' };
    expect(paths({ environment })).toEqual(paths({}));
    expect(ignoredFolders({ environment, platform: 'linux' }).map((sentence) => sentence.split(' ')[0])).toEqual([
      'XDG_CONFIG_HOME',
      'XDG_DATA_HOME',
      'XDG_CACHE_HOME',
    ]);
  });

  it('are under APPDATA and LOCALAPPDATA on Windows', () => {
    const environment = { APPDATA: 'C:\\Users\\ada\\AppData\\Roaming', LOCALAPPDATA: 'D:\\Local' };
    expect(paths({ platform: 'win32', homeDirectory: 'C:\\Users\\ada', environment })).toEqual({
      config: 'C:\\Users\\ada\\AppData\\Roaming\\parcel-monitor\\config.json',
      data: 'C:\\Users\\ada\\AppData\\Roaming\\parcel-monitor',
      watchlist: 'C:\\Users\\ada\\AppData\\Roaming\\parcel-monitor\\watchlist.json',
      history: 'C:\\Users\\ada\\AppData\\Roaming\\parcel-monitor\\history',
      changes: 'C:\\Users\\ada\\AppData\\Roaming\\parcel-monitor\\changes.jsonl',
      state: 'D:\\Local\\parcel-monitor\\State',
      couriers: 'D:\\Local\\parcel-monitor\\Cache\\couriers.json',
    });
  });

  it('contain the given configuration file', () => expect(paths({}, 'mine.json').config).toBe('mine.json'));
});
