import { describe, expect, it } from 'vitest';
import { sandboxUser } from './sandbox-user.ts';

const { connected, user } = sandboxUser();

const hostile = '<script>alert(1)</script> & "lamp"';

async function addParcels(): Promise<void> {
  const environment = connected();
  await user.run(['add', 'RB100000003CN', 'RB100000048CN', '1Z999AA10123456784', '--tag', 'gift'], { environment });
  await user.run(['add', 'LX123456785CN', '--label', hostile], { environment });
  // The service rejects the number because the courier is not known.
  await user.run(['add', 'ORDER12345'], { environment });
}

describe('digest', () => {
  it('prints what the user has to do, and the last seven days', async () => {
    await addParcels();
    const { exitCode, stderr, stdout } = await user.run(['digest']);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(stdout).toMatch(/^Parcels, \w{3} \d+ \w{3} \d{4}, \d\d:\d\d \(.+\)\n\nNeeds you \(\d+\)\n/);
    expect(stdout).toMatch(/^ {2}ORDER12345/m);
    expect(stdout).toMatch(/^ {4}→ change the courier/m);
    expect(stdout).toMatch(/\n\nThe last seven days\n {2}\d+ arrived, \d+ in the week before\.\n/);
    expect((await user.run(['digest', '--ascii'])).stdout).toMatch(/^ {4}-> change the courier/m);
  });

  it('prints Markdown, or an HTML page with timelines and escaped text', async () => {
    await addParcels();
    const markdown = (await user.run(['digest', '--format', 'md'])).stdout;
    expect(markdown).toMatch(/^# Parcels, [\s\S]*\n\n## Needs you \(\d+\)\n\n- \*\*/);
    expect(markdown).not.toContain('<script');
    const page = (await user.run(['digest', '--format', 'html', '--since', '30 days ago'])).stdout;
    expect(page).toMatch(/^<!doctype html>\n/);
    expect(page).toContain("default-src 'none'");
    expect(page).not.toMatch(/<script|<img|<link|@import|url\(/);
    expect(page).not.toMatch(/ (?:src|onclick)=/);
  });

  it('escapes the label of a parcel that it lists', async () => {
    const environment = connected();
    await user.run(['add', 'ORDER12345', '--label', hostile], { environment });
    const page = (await user.run(['digest', '--format', 'html'])).stdout;
    expect(page).toContain('&lt;script&gt;alert(1)&lt;/script&gt; &amp; &quot;lamp&quot;');
    expect((await user.run(['digest', '--format', 'md'])).stdout).toContain('&lt;script&gt;');
  });

  it('prints a message if there is nothing to report, and refuses an invalid time', async () => {
    expect((await user.run(['digest'])).stdout).toContain('Nothing to report.');
    const { exitCode, stderr } = await user.run(['digest', '--since', 'soon']);
    expect({ exitCode, stderr }).toEqual({ exitCode: 2, stderr: expect.stringContaining('is not a valid time') });
  });
});
