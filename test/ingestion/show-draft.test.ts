import assert from 'node:assert/strict';
import type { BatchWithEntries } from '../../src/ingestion/batches/batch.js';
import type { Entry } from '../../src/knowledge/entry.js';
import { showDraft, showReplaced } from '../../src/ingestion/review/review-at-terminal.js';

const draft = {
  ...{ id: 12, title: 'Opening hours', content: 'We open at nine.', status: 'draft' },
  ...{ language: 'en', visibility: 'internal', pageFrom: 4, pageTo: 5, replacesId: 7 },
  ...{ wasPublished: false, edited: false },
} as Entry;
const old: Entry = {
  ...draft,
  id: 7,
  content: 'We open at eight.',
  edited: true,
  replacesId: null,
};
const found = {
  batch: {
    recognizedPages: [
      { page: 4, confidence: 55 },
      { page: 9, confidence: 55 },
    ],
  },
  replaced: [old],
  hiddenText: [
    { page: 5, reason: 'unchecked', text: '' },
    { page: 9, reason: 'unchecked', text: '' },
  ],
} as unknown as BatchWithEntries;

describe('A draft under review at the terminal', () => {
  it('is shown with its pages, the entry that it replaces, and unchecked or doubtful pages', () => {
    const shown = showDraft(found, draft, '2 of 9', 60);
    assert.match(shown, /^--- 2 of 9 · entry 12 · pages 4-5 · en · internal$/m);
    assert.match(shown, /Takes the place of entry 7, "Opening hours", whose text a\nperson has/);
    assert.match(shown, /^Page 5 could not be searched for hidden text\.$/m);
    assert.match(shown, /^Text recognition was not sure of page 4 \(55 of 100\):$/m);
    assert.doesNotMatch(shown, /[Pp]age 9/);
    assert.match(shown, /\nOpening hours\n\nWe open at nine\.\n$/);
    assert.ok(shown.split('\n').every((line) => line.length <= 60));
    assert.match(showReplaced(found, draft, 60) ?? '', /entry 7\n\n.*\n\nWe open at eight\./);
    assert.equal(showReplaced(found, { ...draft, replacesId: null }, 60), undefined);
  });

  it('is marked if it was unpublished, and is shown without control characters', () => {
    const text = { ...draft, replacesId: null, wasPublished: true, content: '\u001b[2Jgone' };
    const shown = showDraft({ ...found, replaced: [], hiddenText: [] }, text, '1 of 1', undefined);
    assert.match(shown, /Was published once, and taken back by somebody\./);
    assert.match(shown, /\ufffd\[2Jgone/);
  });
});
