import { requirePermission, type Actor, type Visibility } from '../platform/actor.js';
import type { App } from '../platform/app.js';
import { nameOf } from '../platform/actor.js';
import { inTransaction } from '../platform/db/in-transaction.js';
import { AppError } from '../platform/errors.js';
import { detectLanguage } from '../platform/text/languages.js';
import { findDomainOf } from '../tenancy/find-site.js';
import { normalizeHost } from '../tenancy/page-address.js';
import { findApp } from '../tenancy/sites.repository.js';
import type { Entry, EntryStatus } from './entry.js';
import { normalizePattern } from './match-pattern.js';
import { addEntries } from './store-entries.js';

export interface EntryInput {
  title: string;
  content: string;
  domain: string;
  urlPattern?: string | undefined;
  status?: EntryStatus | undefined;
  visibility?: Visibility | undefined;
}

/**
 * Creates an entry. A domain that no app claims yet is allowed: the entry waits, unseen, until one does.
 * Refuses with `conflict` a domain of another organization, `invalid_request` what can't be an entry.
 */
export async function createEntry(app: App, actor: Actor, input: EntryInput): Promise<Entry> {
  const { organizationId } = requirePermission(actor, 'knowledge.write');
  const title = required('title', input.title);
  const content = required('content', input.content);
  const domain = normalizeHost(input.domain);
  const urlPattern = input.urlPattern === undefined ? null : normalizePattern(input.urlPattern);
  const language = detectLanguage(`${title}\n${content}`);
  return inTransaction(app, async (app) => {
    const claim = await findDomainOf(app, domain);
    if (claim !== undefined && claim.organizationId !== organizationId) {
      throw new AppError('conflict', `The domain ${domain} is registered by another organization.`);
    }
    const site = claim === undefined ? undefined : await findApp(app, claim.appId);
    const [entry] = await addEntries(app, [
      {
        organizationId,
        appId: site?.id ?? null,
        viewId: null,
        domain,
        urlPattern,
        title,
        content,
        language,
        status: input.status ?? 'draft',
        visibility: input.visibility ?? site?.defaultKnowledgeVisibility ?? 'public',
        visibilityDefaulted: input.visibility === undefined,
        batchId: null,
        chunkIndex: null,
        pageFrom: null,
        pageTo: null,
        changedBy: nameOf(actor),
      },
    ]);
    if (entry === undefined) throw new Error('inserting an entry answered none');
    return entry;
  });
}

function required(field: string, text: string): string {
  const trimmed = text.trim();
  if (trimmed !== '') return trimmed;
  throw new AppError('invalid_request', `${field}: must not be empty`, {
    problems: [{ path: field, message: 'must not be empty' }],
  });
}
