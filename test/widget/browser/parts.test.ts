import assert from 'node:assert/strict';
import { loadPartsOnce } from '../../../src/widget/browser/load-parts-once.js';

describe('The parts of the widget', () => {
  it('are loaded once each, however often they are requested', async () => {
    const asked: string[] = [];
    const load = loadPartsOnce((name) => {
      asked.push(name);
      return Promise.resolve({ name });
    });
    const [panel, again, texts] = await Promise.all([
      load('panel'),
      load('panel'),
      load('texts-en'),
    ]);
    assert.equal(panel, again);
    assert.notEqual(panel, texts);
    assert.deepEqual(asked, ['panel', 'texts-en']);
  });

  it('are requested again after a failed load', async () => {
    let asked = 0;
    const load = loadPartsOnce(() => {
      asked += 1;
      return asked < 2 ? Promise.reject(new Error('no connection')) : Promise.resolve({ asked });
    });
    await assert.rejects(Promise.all([load('pages'), load('pages')]), /no connection/);
    assert.deepEqual(await load('pages'), { asked: 2 });
    assert.equal(asked, 2);
  });

  it('fail to load after a time limit, and can be requested again', async () => {
    const never = new Promise(() => undefined);
    let part = never;
    const load = loadPartsOnce(() => part, 1);
    await assert.rejects(load('panel'), /panel\.js could not be loaded in time/);
    part = Promise.resolve('panel');
    assert.equal(await load('panel'), 'panel');
  });
});
