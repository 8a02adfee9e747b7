import type { Entry } from './entry.js';

/** An entry as the interface has it; `id` is its uuid. */
export function presentEntry(entry: Entry) {
  return {
    id: entry.uuid,
    title: entry.title,
    content: entry.content,
    domain: entry.domain,
    url_pattern: entry.urlPattern,
    status: entry.status,
    visibility: entry.visibility,
    visibility_defaulted: entry.visibilityDefaulted,
    scope: entry.scope,
    app_id: entry.appId,
    language: entry.language,
    batch_id: entry.batchId,
    page_from: entry.pageFrom,
    page_to: entry.pageTo,
    created_at: entry.createdAt,
    updated_at: entry.updatedAt,
  };
}
