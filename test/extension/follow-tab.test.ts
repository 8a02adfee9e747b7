import assert from 'node:assert/strict';
import { runInNewContext } from 'node:vm';
import { scriptOfPart } from '../browser/support/load-part.js';

describe('The panel of the extension', () => {
  it('reads the page again when the active tab navigates or finishes loading, but not when its title changes', async () => {
    let updated = (_id: number, _change: object, _tab: object): void => undefined;
    const nothing = { addListener: () => undefined };
    const chrome = {
      windows: { WINDOW_ID_CURRENT: -2 },
      tabs: {
        onActivated: nothing,
        onUpdated: {
          addListener(listener: typeof updated) {
            updated = listener;
          },
        },
      },
      runtime: { onMessage: nothing },
      permissions: { onAdded: nothing, onRemoved: nothing },
    };
    const script = await scriptOfPart('extension/browser/tab/follow-tab.ts');
    const setTimeout = (work: () => void): void => {
      work();
    };
    const { followTab } = runInNewContext(`${script}; part`, { chrome, setTimeout }) as {
      followTab: (windowId: number, changed: () => void) => void;
    };
    let looks = 0;
    followTab(-2, () => {
      looks += 1;
    });
    updated(1, { title: '(1) Inbox' }, { active: true });
    updated(1, { url: 'https://docs.example.com/' }, { active: false });
    assert.equal(looks, 0);
    updated(1, { url: 'https://docs.example.com/' }, { active: true });
    updated(1, { status: 'complete' }, { active: true });
    assert.equal(looks, 2);
  });
});
