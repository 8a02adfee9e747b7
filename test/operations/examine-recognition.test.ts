import assert from 'node:assert/strict';
import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { examineRecognition } from '../../src/operations/examine-recognition.js';
import { ocrFolder } from '../../src/pdf/ocr/ocr-folder.js';
import { configSchema } from '../../src/platform/config/schema.js';
import { makeTemporaryFolder } from '../support/temporary-folder.js';

describe('`assistant doctor` and text recognition', () => {
  const settings = (changes: object) => configSchema.parse({ ingestion: changes }).ingestion;

  it('reports that it is off, which needs no attention', async () => {
    const { status, finding } = await examineRecognition(settings({}), {});
    assert.equal(status, 'ok');
    assert.match(finding, /^off/);
  });

  it('starts it with all its languages, unless it should be quick', async () => {
    const works = await examineRecognition(settings({ ocr: 'auto' }), {});
    assert.deepEqual([works.status, works.code], ['ok', 'recognition_works']);
    const quick = await examineRecognition(settings({ ocr: 'auto' }), { quick: true });
    assert.deepEqual([quick.status, quick.code], ['ok', 'recognition_untried']);
  });

  it('fails when a language is missing', async () => {
    const folder = await makeTemporaryFolder();
    try {
      await cp(ocrFolder(), folder.path, { recursive: true });
      await rm(join(folder.path, 'spa.traineddata.gz'));
      const { status, remedy } = await examineRecognition(
        settings({ ocr: 'always' }),
        {},
        folder.path,
      );
      assert.equal(status, 'failed');
      assert.match(remedy ?? '', /ingestion\.ocr off/);
    } finally {
      await folder.remove();
    }
  });

  it('warns when its threads have too little memory', async () => {
    const { status, remedy } = await examineRecognition(
      settings({ ocr: 'auto', thread_memory_mb: 128 }),
      {},
    );
    assert.equal(status, 'warning');
    assert.match(remedy ?? '', /thread_memory_mb 256/);
  });
});
