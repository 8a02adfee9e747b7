import { addEntries } from '../../src/knowledge/store-entries.js';
import type { Entry, NewEntry } from '../../src/knowledge/entry.js';
import { inTransaction } from '../../src/platform/db/in-transaction.js';
import { detectLanguage } from '../../src/language/detect-language.js';
import type { TestApp, TestOrganization } from './test-app.js';

type Fields = Partial<NewEntry> & Pick<NewEntry, 'title' | 'content'>;

/**
 * Stores an entry of an organization's app and domain, by default published and public, as after an approval. It also
 * stores entries of scopes that no use-case creates yet.
 */
export async function storeEntry(
  { app }: Pick<TestApp, 'app'>,
  organization: TestOrganization,
  fields: Fields,
): Promise<Entry> {
  const [entry] = await inTransaction(app, (app) =>
    addEntries(app, [entryFields(organization, fields)]),
  );
  if (entry === undefined) throw new Error('no entry was stored');
  return entry;
}

/** The fields of such an entry, to store it with others. */
export function entryFields(organization: TestOrganization, fields: Fields): NewEntry {
  return {
    organizationId: organization.operator.organizationId,
    appId: organization.appId,
    viewId: null,
    domain: organization.domain,
    urlPattern: null,
    language: detectLanguage(`${fields.title}\n${fields.content}`),
    status: 'published',
    visibility: 'public',
    visibilityDefaulted: false,
    batchId: null,
    chunkIndex: null,
    pageFrom: null,
    pageTo: null,
    changedBy: 'operator',
    ...fields,
  };
}
