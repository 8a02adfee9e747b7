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

/** The extension's list of sites in a browser that grants all that it is asked for. */
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
  it('are those that were chosen, also the one that the service is on, which stays within reach', async () => {
    const server = 'https://example.com/assistant';
    const sites = await openSites(server);
    const listed = async () => [...(await sites.grantedSites())];
    assert.deepEqual(await listed(), [], 'that of the service is none by itself');
    assert.equal(await sites.isRecognised(service), false);
    await sites.recognise(service, { server });
    await sites.recognise(site, { server });
    assert.deepEqual(await listed(), [site, service].sort());
    assert.equal(await sites.isRecognised(service), true);
    assert.equal(await sites.isRecognised(site), true);
    await sites.forgetSite(service);
    await sites.forgetSite(site);
    assert.deepEqual(await listed(), []);
    assert.deepEqual([...sites.origins], [service], 'the service can still be asked');
  });

  it('can be taken back, but for those that the manifest names', async () => {
    assert.equal((await openSites('https://example.com')).isFixed(site), false);
    const sites = await openSites('https://example.com', { host_permissions: [site] });
    assert.equal(sites.isFixed(site), true);
    assert.equal(sites.isFixed(service), false);
  });
});
