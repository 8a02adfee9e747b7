import assert from 'node:assert/strict';
import { lineOf, notesOf } from '../../../src/ingestion/bulk/ingest-report.js';
import { blankFile, failedFile } from '../../../src/ingestion/bulk/ingested-file.js';

describe('The report line of an ingested file', () => {
  it('stays one line, even if the file name contains line breaks', () => {
    const path = '/docs/a\n::error::b\r\tc\u001b[31m.pdf';
    const blank = { ...blankFile(path, 'a.pdf', 'ingested'), takenBack: 1, visibilityNotes: ['x'] };
    const failed = failedFile(path, 'a.pdf', new Error('no'));
    for (const line of [lineOf(blank, false), lineOf(blank, true), lineOf(failed, false)]) {
      assert.doesNotMatch(line, /[\n\r\t\u001b]/);
    }
    for (const note of notesOf(blank)) assert.doesNotMatch(note, /[\n\r\t\u001b]/);
  });
});
