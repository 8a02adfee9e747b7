import {
  countPassageFaults,
  mendPassages,
  passageFaults,
  type PassageFault,
} from '../../knowledge/mend-passages.js';
import { listMiscounted, recountPlaces } from '../../knowledge/page.repository.js';
import { inTransaction } from '../../platform/db/in-transaction.js';
import { buildIndexOf } from '../../search/term-index/bring-index-up-to-date.js';
import { findIndexFaults } from '../../search/term-index/find-index-faults.js';
import { findVectorFaults, mendVectors } from '../../search/vectors/mend-vectors.js';
import { listOrganizations } from '../../tenancy/sites.repository.js';
import { counted } from '../../platform/text/counted.js';
import type { Damage, Finding, LookOptions, Store } from './damage.js';

const faultTexts: Record<PassageFault, string> = {
  missing: 'no passages, so nobody finds it',
  text: 'passages with other words',
  rights: 'passages with other rights',
  pages: 'passages with other pages',
};

/** The passages of entries, in which questions are searched. */
export const passages: Damage = {
  name: 'passages',
  status: 'failed',
  async find(app) {
    const faults = await countPassageFaults(app);
    return passageFaults
      .filter((fault) => faults[fault] > 0)
      .map((fault) => ({ what: `${entriesWith(faults[fault])} ${faultTexts[fault]}` }));
  },
  async mend(app) {
    const faults = await mendPassages(app);
    const anew = faults.missing + faults.text;
    const given = faults.rights + faults.pages;
    return [
      ...(anew > 0 ? [`made the passages of ${counted(anew, 'entry', 'entries')} anew`] : []),
      ...(given > 0
        ? [`gave the passages of ${counted(given, 'entry', 'entries')} its rights and pages`]
        : []),
    ];
  },
};

function entriesWith(number: number): string {
  return counted(number, 'entry has', 'entries have');
}

/** The index that a search reads instead of the passages. */
export const searchIndex: Damage = {
  name: 'search index',
  status: 'failed',
  async find(app, options) {
    const findings: Finding[] = [];
    for (const { slug, faults } of await wrongIndexes(app, options)) {
      findings.push(...faults.map((fault) => ({ what: `organization ${slug}: ${fault}` })));
    }
    return findings;
  },
  async mend(app) {
    return inTransaction(app, async (app) => {
      const done: string[] = [];
      for (const { id, slug } of await wrongIndexes(app)) {
        const made = await buildIndexOf(app, id);
        done.push(
          `made the search index of organization ${slug} anew, of ${counted(made, 'passage')}`,
        );
      }
      return done;
    });
  },
};

async function wrongIndexes(app: Store, { mostPassages }: LookOptions = {}) {
  const wrong: { id: number; slug: string; faults: string[] }[] = [];
  for (const { id, slug } of await listOrganizations(app)) {
    const faults = await findIndexFaults(app, id, mostPassages);
    if (faults.length > 0) wrong.push({ id, slug, faults });
  }
  return wrong;
}

/** How many entries are on which pages, which triggers of the database count. */
export const counters: Damage = {
  name: 'counters',
  status: 'failed',
  async find(app) {
    const apps = await listMiscounted(app);
    const what = `the numbers of entries by page differ from the entries in ${counted(apps.length, 'app')}`;
    return apps.length === 0 ? [] : [{ what }];
  },
  async mend(app) {
    return inTransaction(app, async (app) => {
      const apps = await listMiscounted(app);
      await recountPlaces(app, apps);
      return apps.length === 0
        ? []
        : [`counted the entries of ${counted(apps.length, 'app')} again`];
    });
  },
};

/** Vectors of passages, which an embedding model made. */
export const vectors: Damage = {
  name: 'stored vectors',
  status: 'warning',
  async find(app) {
    return (await findVectorFaults(app)).map((what) => ({ what }));
  },
  mend: (app) => inTransaction(app, mendVectors),
};
