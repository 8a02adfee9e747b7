import { createApp } from '../../src/tenancy/manage-apps.js';
import { claimDomain, moveDomain } from '../../src/tenancy/manage-domains.js';
import { deleteEntry } from '../../src/knowledge/delete-entry.js';
import { updateEntry } from '../../src/knowledge/update-entry.js';
import { visibilities, type Visibility } from '../../src/platform/actor.js';
import { addAccount } from '../support/accounts.js';
import { callApi } from '../support/api-client.js';
import { createChance } from '../support/chance.js';
import { storeEntry } from '../support/stored-entry.js';
import { addOrganization, serveTestApp } from '../support/test-app.js';
import { addKeyWithSecret, addUserToken, addWidgetKey } from '../support/widget-keys.js';
import type { AttackSize } from './attack.js';
import type { Tally } from './tally.js';

const origin = 'https://moved.example';
const stepsOfWalk = 8;

interface Reader {
  name: string;
  headers: Record<string, string>;
  /** The highest tier that the reader may see, as an index of `visibilities`. */
  tier: number;
  kind: 'widget' | 'user' | 'staff';
  conversations: Set<string>;
}

/** A text of the entry, with its word and the lowest tier that it ever had. */
interface Version {
  word: string;
  tier: number;
}

/**
 * Readers of all kinds ask about one entry while random steps edit it, change its tier, unpublish it and move it to
 * another app, until it is deleted. After each step, they read their earlier answers again. Runs on a server of its own.
 */
export async function attackOverTime(tally: Tally, { seed, walks }: AttackSize): Promise<void> {
  const test = await serveTestApp({ answers: { mode: 'extractive' } });
  try {
    const chance = createChance(seed);
    const any = (count: number) => Math.floor(chance() * count);
    const acme = await addOrganization(test);
    const { app } = test;
    const { operator, appId } = acme;
    const other = await createApp(app, operator, { name: 'Other' });
    const { domain } = await claimDomain(app, operator, { host: 'moved.example', appId });
    const open = await addWidgetKey(test, acme, 'public');
    const closed = await addWidgetKey(test, acme, 'authenticated');
    const host = await addKeyWithSecret(test, acme);
    for (let walk = 0; walk < walks; walk += 1) {
      const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });
      const user = await addAccount(test, acme, `User${walk}`);
      const staff = await addAccount(test, acme, `Staff${walk}`, 'backoffice');
      const known = await addUserToken(test, host, { externalId: `person-${walk}` });
      const kinds: [string, Reader['headers'], number, Reader['kind']][] = [
        ['a visitor', { 'X-Widget-Key': open }, 0, 'widget'],
        ['a visitor behind a sign-in', { 'X-Widget-Key': closed }, 1, 'widget'],
        ['an end user', bearer(known), 1, 'widget'],
        ['a user', bearer(user.token), 1, 'user'],
        ['staff', bearer(staff.token), 2, 'staff'],
      ];
      const readers = kinds.map(([name, headers, tier, kind]): Reader => {
        const own = { Origin: origin, ...headers };
        return { name, tier, kind, headers: own, conversations: new Set() };
      });
      const title = `Subject${walk}`;
      const textOf = (word: string) => `The code of ${title} is ${word} here.`;
      const now = { tier: 0, published: true, appId, exists: true };
      const first = { word: `Zq${walk}a`, tier: 0 };
      const versions: Version[] = [first];
      const { uuid } = await storeEntry(test, acme, {
        ...{ title, content: textOf(first.word), domain: 'moved.example' },
      });
      const maySee = (reader: Reader, version: Version): boolean => {
        const isStaff = reader.kind === 'staff';
        if (!now.exists) return isStaff;
        if (reader.kind === 'widget' && now.appId !== appId) return false;
        const shown = version === versions.at(-1) ? now.tier : Math.max(now.tier, version.tier);
        return shown <= reader.tier && (now.published || isStaff);
      };
      const look = async () => {
        for (const reader of readers) {
          const shownText = await readAll(test.url, reader);
          for (const version of versions) {
            await tally.check('old answers', () => {
              const isShown = shownText.includes(version.word);
              if (isShown && !maySee(reader, version)) {
                throw new Error(`${reader.name} is shown ${version.word}: ${JSON.stringify(now)}`);
              }
              return Promise.resolve(isShown ? 200 : 404);
            });
          }
        }
      };
      const change = async (fields: { visibility?: Visibility; content?: string }) => {
        if (fields.visibility !== undefined) now.tier = visibilities.indexOf(fields.visibility);
        const word = `Zq${walk}${'bcdefghijk'[versions.length - 1] ?? 'z'}`;
        const last = versions.at(-1) ?? first;
        if (fields.content === undefined) last.tier = Math.min(last.tier, now.tier);
        else versions.push({ word, tier: now.tier });
        const content = fields.content === undefined ? {} : { content: textOf(word) };
        await updateEntry(app, operator, uuid, { ...fields, ...content });
      };
      const steps = [
        () => change({ content: '' }),
        () => change({ visibility: visibilities[any(3)] ?? 'public' }),
        () => change({ visibility: visibilities[any(3)] ?? 'public', content: '' }),
        async () => {
          now.published = !now.published;
          await updateEntry(app, operator, uuid, { status: now.published ? 'published' : 'draft' });
        },
        async () => {
          now.appId = now.appId === appId ? other.id : appId;
          await moveDomain(app, operator, domain.id, { appId: now.appId });
        },
      ];
      for (let step = 0; step < stepsOfWalk; step += 1) {
        for (const reader of readers) await ask(test.url, reader, `What is the code of ${title}?`);
        await look();
        await steps[any(steps.length)]?.();
        await look();
      }
      await deleteEntry(app, operator, uuid);
      now.exists = false;
      await look();
      await moveDomain(app, operator, domain.id, { appId });
    }
  } finally {
    await test.close();
  }
}

async function ask(url: string, reader: Reader, message: string): Promise<void> {
  const path = reader.kind === 'widget' ? '/widget/message' : '/api/conversations/message';
  const { body } = await callApi<{ conversationId: string; visitorToken?: string }>(url + path, {
    headers: reader.headers,
    body: { message, context: { url: `${origin}/`, title: 'Start' } },
  });
  if (body.visitorToken !== undefined) reader.headers['X-Visitor-Token'] = body.visitorToken;
  reader.conversations.add(body.conversationId);
}

/** All earlier answers to a reader, as they are shown now. */
async function readAll(url: string, { headers, kind, conversations }: Reader): Promise<string> {
  const door = kind === 'widget' ? '/widget' : '/api';
  const answers: unknown[] = [];
  for (const id of conversations) {
    const path = `${url}${door}/conversations/${id}/messages`;
    answers.push((await callApi<object>(path, { headers })).body);
  }
  return JSON.stringify(answers);
}
