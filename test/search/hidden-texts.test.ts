import assert from 'node:assert/strict';
import { deleteEntry } from '../../src/knowledge/delete-entry.js';
import { listEntries } from '../../src/knowledge/read-entries.js';
import type { NewEntry } from '../../src/knowledge/entry.js';
import { searchPassages } from '../../src/search/search-passages.js';
import { createApp } from '../../src/tenancy/manage-apps.js';
import { createChance } from '../support/chance.js';
import { storeEntry } from '../support/stored-entry.js';
import {
  addOrganization,
  addUser,
  openTestApp,
  type TestApp,
  type TestOrganization,
} from '../support/test-app.js';

/** Passages that the asker may not see, and such as are there no more. */
const hidings = ['internal', 'draft', 'deleted', 'of another app'] as const;
type Hiding = (typeof hidings)[number];

/** An installation, and how texts get into it that its visitors do not see. */
async function openInstallation() {
  const test = await openTestApp();
  const acme = await addOrganization(test);
  const other = await createApp(test.app, acme.operator, { name: 'Other' });
  const hide = async (how: Hiding, texts: Pick<NewEntry, 'title' | 'content'>) => {
    const fields: Record<Hiding, Partial<NewEntry>> = {
      internal: { visibility: 'internal' },
      draft: { status: 'draft' },
      deleted: {},
      'of another app': { appId: other.id, domain: null },
    };
    const { uuid } = await storeEntry(test, acme, { ...texts, ...fields[how] });
    if (how === 'deleted') await deleteEntry(test.app, acme.operator, uuid);
  };
  return { test, acme, hide };
}

/** What a visitor finds, and all that it is ordered by. */
async function find(test: TestApp, acme: TestOrganization, text: string) {
  const { organizationId } = acme.operator;
  const scope = { organizationId, appId: acme.appId, tiers: ['public' as const] };
  const { terms, passages } = await searchPassages(test.app, { text, scope, limit: 50 });
  return { terms, passages: passages.map(({ title, score, parts }) => ({ title, score, parts })) };
}

const crowd =
  'Lagerort, Lagerhaus, Lagerist, Lagerplatz, Lagerhalle, Lagerraum, Lagerware, Lagerbier, Lagerboxen, Lagertore, Lagerfach, Lagerregal, Lagerliste, Lagerwagen.';

describe('Texts that a visitor may not see', () => {
  let test: TestApp;
  let acme: TestOrganization;
  let hide: Awaited<ReturnType<typeof openInstallation>>['hide'];
  beforeEach(async () => {
    ({ test, acme, hide } = await openInstallation());
  });
  afterEach(() => test.close());

  for (const how of hidings) {
    it(`do not prevent a compound from being found: ${how}`, async () => {
      const content = 'Die Lagertemperatur beträgt höchstens acht Grad.';
      await storeEntry(test, acme, { title: 'Kühlung', content });
      await storeEntry(test, acme, { title: 'Parken', content: 'Besucher parken im Hof.' });
      await hide(how, { title: 'Lagerung', content: crowd });
      const { passages } = await find(test, acme, 'Was gilt für das Lager?');
      assert.deepEqual(
        passages.map(({ title }) => title),
        ['Kühlung'],
      );
    });
  }

  it('do not prevent the correction of a misspelt word, however many similar words they contain', async () => {
    await storeEntry(test, acme, { title: 'Pass', content: 'A password has ten characters.' });
    const letters = Array.from('abcdefghijklmnopqrstuvwxyz');
    const pairs = letters.flatMap((one) => letters.map((two) => one + two));
    const content = pairs.flatMap((two) =>
      ['x', 'y', 'z', 'q', 'k'].map((end) => `pas${two}rd${end}`),
    );
    await hide('draft', { title: 'Codes', content: content.join(' ') });
    const { passages, terms } = await find(test, acme, 'passwrd');
    assert.deepEqual([passages[0]?.title, terms[0]?.guesses], ['Pass', ['password']]);
  });

  it('do not displace the completions of a filter that a reader may see', async () => {
    await storeEntry(test, acme, { title: 'Bird', content: 'The phoenixfeather is red.' });
    const letters = Array.from('abcdefghijklmnopqrstuvwxyz');
    const words = letters.flatMap((one) => letters.map((two) => `pho${one}${two}`));
    await hide('internal', { title: 'Codes', content: words.join(' ') });
    const { id: userId } = await addUser(test, acme, 'user');
    const { organizationId } = acme.operator;
    const reader = { kind: 'user', organizationId, userId, role: 'user' } as const;
    const { items } = await listEntries(test.app, reader, { q: 'pho', page: 1, limit: 20 });
    assert.deepEqual(
      items.map(({ title }) => title),
      ['Bird'],
    );
  });
});

describe('The results of a visitor', () => {
  const chance = createChance(11);
  const pick = <T>(all: readonly T[]): T => {
    const [one] = all.slice(Math.floor(chance() * all.length)) as [T];
    return one;
  };
  const parts =
    'lager motor pumpe ventil filter kühlung temperatur druck wasser leitung schalter regel öffnung fenster prüfung station anlage'.split(
      ' ',
    );
  const letters = Array.from('abcdefghijklmnopqrstuvwxyz');
  const slip = (word: string) => {
    const at = 1 + Math.floor(chance() * (word.length - 1));
    return `${word.slice(0, at)}${pick([pick(letters), ''])}${word.slice(at + pick([0, 1]))}`;
  };
  const word = (): string => {
    const plain = pick([pick(parts), `${pick(parts)}${pick(parts)}`]);
    return chance() < 0.2 ? slip(plain) : plain;
  };
  const text = (words: number) => Array.from({ length: words }, word).join(' ');

  it('do not depend on texts that the visitor may not see', async () => {
    const open = await openInstallation();
    const crowded = await openInstallation();
    try {
      for (let round = 0; round < 3; round++) {
        for (let number = 0; number < 8; number++) {
          const entry = { title: `${round} ${number} ${word()}`, content: `${text(12)}.` };
          for (const { test, acme } of [open, crowded]) await storeEntry(test, acme, entry);
          await crowded.hide(pick(hidings), { title: word(), content: `${text(60)}.` });
        }
        for (let asked = 0; asked < 20; asked++) {
          const question = text(1 + Math.floor(chance() * 4));
          assert.deepEqual(
            await find(crowded.test, crowded.acme, question),
            await find(open.test, open.acme, question),
            question,
          );
        }
      }
    } finally {
      await open.test.close();
      await crowded.test.close();
    }
  }).timeout(60_000);
});
