import assert from 'node:assert/strict';
import { runInNewContext } from 'node:vm';
import { scriptOfPart } from '../browser/support/load-part.js';

interface Sites {
  grantedSites(): Promise<string[]>;
  isRecognised(pattern: string): Promise<boolean>;
  recognise(pattern: string, settings: object): Promise<void>;
  forgetSite(pattern: string): Promise<void>;
  isFixed(pattern: string): boolean;
}

const service = 'https://example.com/*';
const site = 'https://docs.example.com/*';

/** The extension's list of sites in a browser that grants every request for permissions. */
async function openSites(
  server: string,
  manifest: { host_permissions?: string[] } = {},
): Promise<Sites & { origins: Set<string> }> {
  const origins = new Set([service]);
  let settings: object = { server, language: 'en' };
  const chrome = {
    runtime: { getManifest: () => manifest },
    storage: {
      local: {
        get: () => Promise.resolve({ settings }),
        set(next: { settings: object }) {
          ({ settings } = next);
          return Promise.resolve();
        },
      },
    },
    permissions: {
      getAll: () => Promise.resolve({ origins: [...origins] }),
      contains: (asked: { origins: string[] }) =>
        Promise.resolve(asked.origins.every((one) => origins.has(one))),
      request: (asked: { origins: string[] }) =>
        Promise.resolve(asked.origins.map((one) => origins.add(one)).length > 0),
      remove: (asked: { origins: string[] }) =>
        Promise.resolve(asked.origins.every((one) => origins.delete(one))),
    },
  };
  const script = await scriptOfPart('extension/browser/worker/sites.ts');
  const part = runInNewContext(`${script}; part`, { chrome, URL }) as Sites;
  return Object.assign({ origins }, part);
}

describe('The sites that the extension recognises', () => {
  it('are the chosen ones, and the service stays reachable even if its own site is forgotten', async () => {
    const server = 'https://example.com/assistant';
    const sites = await openSites(server);
    const listed = async () => [...(await sites.grantedSites())];
    assert.deepEqual(await listed(), [], 'the site of the service is not listed by itself');
    assert.equal(await sites.isRecognised(service), false);
    await sites.recognise(service, { server });
    await sites.recognise(site, { server });
    assert.deepEqual(await listed(), [site, service].sort());
    assert.equal(await sites.isRecognised(service), true);
    assert.equal(await sites.isRecognised(site), true);
    await sites.forgetSite(service);
    await sites.forgetSite(site);
    assert.deepEqual(await listed(), []);
    assert.deepEqual([...sites.origins], [service], 'the service can still be reached');
  });

  it('are fixed only if the manifest names them', async () => {
    assert.equal((await openSites('https://example.com')).isFixed(site), false);
    const sites = await openSites('https://example.com', { host_permissions: [site] });
    assert.equal(sites.isFixed(site), true);
    assert.equal(sites.isFixed(service), false);
  });
});
