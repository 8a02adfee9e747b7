import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sha256Of } from '../../../bench/documents/documents.js';
import type { Draft } from '../../../bench/documents/drafts.js';
import { sampleDrafts } from '../../../bench/documents/sample-drafts.js';
import {
  findJudged,
  measureFitness,
  readVerdicts,
  type Verdict,
} from '../../../bench/documents/verdicts.js';
import { makeTemporaryFolder } from '../../support/temporary-folder.js';

function makeDraft(file: string, page: number, title: string, kind = 'software'): Draft {
  const content = `Text of ${title}`;
  return {
    path: file,
    file,
    sha256: sha256Of(file),
    format: 'pdf',
    kind,
    set: 'development',
    title,
    content,
    pageFrom: page,
    pageTo: page,
    hash: sha256Of(title + content).slice(0, 16),
  };
}

function judge(draft: Draft, facts: Partial<Verdict>): Verdict {
  return {
    sha256: draft.sha256,
    file: draft.file,
    kind: draft.kind,
    set: 'development',
    title: draft.title,
    page_from: draft.pageFrom,
    page_to: draft.pageTo,
    hash: draft.hash,
    verdict: 'fit',
    judged_by: 'a test',
    date: '2026-11-26',
    ...facts,
  };
}

describe('Verdicts on drafts', () => {
  const drafts = [
    makeDraft('a.pdf', 1, 'Install'),
    makeDraft('a.pdf', 2, 'Update'),
    makeDraft('a.pdf', 9, 'Update'),
    makeDraft('b.pdf', 1, 'Abstract', 'paper'),
  ];
  const [install, update, later, abstract] = drafts as [Draft, Draft, Draft, Draft];

  it('count for unchanged drafts only, and changed ones are to be judged anew', () => {
    const verdicts = [
      judge(install, {}),
      judge(update, { verdict: 'work', defect: 'table' }),
      judge(later, { hash: 'of the text before' }),
      judge(abstract, { verdict: 'work', defect: 'columns' }),
      judge(makeDraft('elsewhere.pdf', 1, 'Not read'), {}),
    ];
    const [measure, ...more] = measureFitness(findJudged(verdicts, drafts));
    assert.equal(more.length, 0);
    assert.deepEqual(
      measure?.rows.map((row) => Object.values(row)),
      [
        ['software', 2, 1, 0.5, 1, 'table 1'],
        ['paper', 1, 0, 0, 0, 'columns 1'],
        ['all', 3, 1, 0.33, 1, 'table 1, columns 1'],
      ],
    );
  });

  it('are shown again with the draft of the same title that is nearest, of one that ends the same, else the nearest draft', () => {
    const changed = { hash: 'of the text before' };
    const found = findJudged(
      [
        judge(later, { ...changed, page_from: 8 }),
        judge(install, { ...changed, title: 'Gone', page_from: 2 }),
        judge(install, { ...changed, title: 'Manual › Install', page_from: 9 }),
      ],
      drafts,
    );
    assert.deepEqual(
      found.map(({ draft }) => draft),
      [later, update, install],
    );
  });

  it('are superseded by a later line on the same text, or by one that replaces them', async () => {
    const folder = await makeTemporaryFolder();
    try {
      const path = join(folder.path, 'verdicts.jsonl');
      const lines = [
        judge(install, { verdict: 'work', defect: 'cut' }),
        judge(update, {}),
        judge(install, {}),
        judge(later, { replaces: [update.hash] }),
      ];
      await writeFile(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
      const read = await readVerdicts(path);
      assert.deepEqual(
        read.map(({ hash, verdict }) => [hash, verdict]),
        [
          [install.hash, 'fit'],
          [later.hash, 'fit'],
        ],
      );

      await writeFile(path, '{"verdict":"perhaps"}\n');
      await assert.rejects(readVerdicts(path), /verdicts\.jsonl, line 1 is not a verdict/);
    } finally {
      await folder.remove();
    }
  });

  it('of the repository can be read', async () => {
    const verdicts = await readVerdicts();
    for (const { defect, verdict } of verdicts)
      assert.equal(defect === undefined, verdict === 'fit');
  });
});

describe('A sample of drafts', () => {
  const manual = Array.from({ length: 50 }, (_, page) => makeDraft('long.pdf', page, `L${page}`));
  const leaflet = Array.from({ length: 3 }, (_, page) => makeDraft('short.pdf', page, `S${page}`));
  const paper = Array.from({ length: 9 }, (_, page) =>
    makeDraft('p.pdf', page, `P${page}`, 'paper'),
  );
  const all = [...manual, ...leaflet, ...paper];

  it('lets the files take turns, and is the same for the same seed', () => {
    const sample = sampleDrafts(all, 12, 1);
    const count = (file: string) => sample.filter((draft) => draft.file === file).length;
    assert.deepEqual([count('p.pdf'), count('long.pdf'), count('short.pdf')], [5, 4, 3]);
    assert.deepEqual(sampleDrafts(all, 12, 1), sample);
    assert.notDeepEqual(sampleDrafts(all, 12, 2), sample);
  });

  it('holds every draft once if it is larger than all of them', () => {
    assert.equal(new Set(sampleDrafts(all, 1000, 1)).size, all.length);
  });
});
