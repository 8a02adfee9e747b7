import { z } from 'zod';
import type { Visibility } from '../../platform/actor.js';
import { codeOf, errorCodes, type ErrorCode } from '../../platform/errors.js';
import type { Page } from '../../platform/db/select-page.js';
import { listOf } from '../../platform/http/paging.js';
import { batchReply, batchWithEntriesReply } from '../batches/batch.schema.js';
import { documentReply, prunedReply, weighedReply } from '../batches/document.schema.js';
import { lookedUpReply, startedReply } from '../upload/upload.schema.js';
import { findGoneOfSource } from './gone-of-source.js';
import type { BatchState, FileStanding, IngestTarget, Pruning } from './ingest-target.js';
import type { TargetOptions } from './local-target.js';
import {
  createServerClient,
  isOver,
  type ServerClient,
  type ServerSettings,
} from '../../platform/cli/server-client.js';
import { pause as pauseFor } from '../../platform/retry.js';

/** Servers of every version have this door, for PDFs alone. */
const upload = '/api/knowledge/ingest-pdf';
const uploadOfOthers = '/api/knowledge/ingest';
const batches = '/api/knowledge/ingestion-batches';
/** Enough for a connection of 50 kB/s, in milliseconds. */
const uploadTimeoutMs = (bytes: Uint8Array) => 60_000 + bytes.length / 50;
const documents = '/api/knowledge/documents';
const approvedReply = z.object({ approved: z.number() });
/** The intervals for asking about a batch; they grow with time. */
const pollMs = { first: 250, longest: 3000, growth: 1.5 };

/**
 * A server as a target, used only by its API. It never learns the paths of files. Refuses what the server refuses about
 * address, token, app and domain.
 */
export async function openRemoteTarget(
  settings: ServerSettings,
  options: TargetOptions,
): Promise<IngestTarget> {
  const client = createServerClient(settings);
  const pause = settings.pause ?? pauseFor;
  const fields = Object.entries({
    app_id: options.appId === undefined ? undefined : String(options.appId),
    domain: options.domain,
    visibility: options.visibility,
    source: options.source,
  }).filter((field): field is [string, string] => field[1] !== undefined);
  const ask = (fileName: string, fileSha256: string, folder: string | null = null) => {
    const named: [string, string][] = [['file_name', fileName.slice(0, 255)]];
    // A file that is read again by force may come from any folder.
    if (folder !== null && !options.force) named.push(['folder', folder]);
    const query = new URLSearchParams([...named, ['file_sha256', fileSha256], ...fields]);
    return client.ask(`${upload}?${query.toString()}`, lookedUpReply);
  };
  const read = (batchId: string) => client.ask(`${batches}/${batchId}`, batchWithEntriesReply);
  const state = (batch: z.output<typeof batchReply>) => toState(batch, options.visibility);
  // Any problem of the target is detected by asking for a file that nobody has.
  const target = await ask('document.pdf', '0'.repeat(64));
  return {
    maxFileMb: target.max_file_mb,
    domain: target.domain,
    domainIsRegistered: target.domain_is_registered,
    source: options.source ?? null,
    namesOf: () => Promise.resolve(new Map()),
    async lookUp({ fileName, fileSha256, folder }): Promise<FileStanding> {
      const { standing, batch } = await ask(fileName, fileSha256, folder);
      const known = batch === null ? undefined : state(batch);
      if (!options.force) return { standing, batch: known, alsoAt: null };
      const again = standing === 'new' ? 'new' : 'changed';
      return { standing: again, batch: undefined, alsoAt: null };
    },
    async send({ fileName, bytes, folder, kind }) {
      const named: [string, string][] = folder === null ? [] : [['folder', folder]];
      const all = [...fields, ...named, ['force', String(options.force)] as const];
      const body = () => formOf(fileName, bytes, all);
      const request = { method: 'POST', body, timeoutMs: uploadTimeoutMs(bytes) } as const;
      const { batch_id, duplicate } = await client.ask(
        kind === 'pdf' ? upload : uploadOfOthers,
        startedReply,
        request,
      );
      return { batch: state(await read(batch_id)), isRepeated: duplicate };
    },
    async retry(batchId) {
      const path = `${batches}/${batchId}/retry`;
      try {
        const batch = await client.ask(path, batchReply, { method: 'POST' });
        return { batch: state(batch), isRepeated: false };
      } catch (error) {
        if (codeOf(error) !== 'conflict') throw error;
        return { batch: state(await read(batchId)), isRepeated: true };
      }
    },
    async *watch({ id }, signal) {
      for (let ms = pollMs.first; ; ms = Math.min(pollMs.longest, ms * pollMs.growth)) {
        const batch = state(await read(id));
        yield batch;
        if (batch.status !== 'processing' || signal.aborted) return;
        await pause(ms, signal);
        // A request now would tell the server that nobody listens any more.
        if (isOver(signal)) return;
      }
    },
    async review({ id: batchId }, approve) {
      const { entries, hidden_text } = await read(batchId);
      const drafts = entries.filter((entry) => !entry.is_active);
      const wanted = drafts.filter((entry) => !entry.taken_back).map(({ id }) => id);
      const request = { method: 'POST', json: { entry_ids: wanted } } as const;
      const isAsked = approve && wanted.length > 0;
      const { approved } = isAsked
        ? await client.ask(`${batches}/${batchId}/approve`, approvedReply, request)
        : { approved: 0 };
      const hidden = hidden_text.filter(({ reason }) => reason !== 'unchecked');
      return {
        entries: entries.length,
        approved,
        takenBack: approve ? drafts.length - wanted.length : 0,
        pagesWithHiddenText: [...new Set(hidden.map(({ page }) => page))],
      };
    },
    ...(options.source === undefined ? {} : { pruning: pruningOf(client, fields) }),
    close: () => Promise.resolve(),
  };
}

/** Of a stated source alone: the server does not know where files lie. */
function pruningOf(client: ServerClient, fields: readonly [string, string][]): Pruning {
  const place = fields.filter(([name]) => name !== 'visibility');
  const listed = {
    async list({ page, limit }: Page) {
      const paging: [string, string][] = [
        ['page', String(page)],
        ['limit', String(limit)],
      ];
      const query = new URLSearchParams([...place, ...paging]);
      const reply = await client.ask(`${documents}?${query.toString()}`, listOf(documentReply));
      return { items: reply.data.map(toDocument), total: reply.pagination.total };
    },
    async weigh(batchId: string) {
      const found = await client.ask(`${documents}/${batchId}`, weighedReply);
      return { ...toDocument(found), published: found.published, drafts: found.drafts };
    },
    limit: 100,
  };
  return {
    findGone: (found) => findGoneOfSource(listed, found),
    async prune({ batchId }) {
      const request = { method: 'DELETE' } as const;
      await client.ask(`${documents}/${batchId}`, prunedReply, request);
    },
  };
}

function toDocument(found: z.output<typeof documentReply>) {
  return { batchId: found.batch_id, source: found.source, fileName: found.file_name };
}

function toState(
  batch: z.output<typeof batchReply>,
  visibility: Visibility | undefined,
): BatchState {
  return {
    id: batch.id,
    source: batch.source,
    createdAt: batch.created_at,
    updatedAt: batch.updated_at,
    status: batch.status,
    totalPages: batch.total_pages,
    processedPages: batch.processed_pages,
    totalChunks: batch.total_chunks,
    processedChunks: batch.processed_chunks,
    pagesWithoutText: batch.pages_without_text,
    diff: batch.diff,
    error: batch.error === null ? null : readError(batch.error),
    visibility: visibility ?? null,
    hiddenTextTotal: batch.hidden_text_total,
    visibilityNarrowed: batch.visibility_narrowed,
    visibilityKept: batch.visibility_kept,
  };
}

/** A newer server may have codes that this program does not know. */
function readError({ code, message }: { code: string; message: string }) {
  return {
    code: Object.hasOwn(errorCodes, code) ? (code as ErrorCode) : ('internal' as const),
    message,
  };
}

function formOf(
  fileName: string,
  bytes: Uint8Array,
  fields: readonly (readonly [string, string])[],
): FormData {
  const form = new FormData();
  for (const [name, value] of fields) form.append(name, value);
  const file = new Blob([bytes as Uint8Array<ArrayBuffer>], { type: 'application/octet-stream' });
  form.append('file', file, fileName);
  return form;
}
