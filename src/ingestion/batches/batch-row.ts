import type { Visibility } from '../../platform/actor.js';
import type { ErrorCode } from '../../platform/errors.js';
import type { DocumentKind } from '../../documents/document.js';
import type { ReaderName } from '../../documents/threads/protocol.js';
import type { RecognizedPage } from '../../documents/threads/recognize-pages.js';
import type { Batch, BatchStatus, LeasedBatch } from './batch.js';

export interface BatchRow {
  id: string;
  organization_id: number;
  app_id: number;
  domain: string | null;
  source: string | null;
  folder: string | null;
  file_name: string;
  document: string;
  file_sha256: string;
  file_size: number;
  kind: DocumentKind;
  source_url: string | null;
  visibility: Visibility | null;
  status: BatchStatus;
  total_pages: number;
  processed_pages: number;
  total_chunks: number;
  processed_chunks: number;
  dropped_entries: number;
  fallback_chunks: number;
  diff_unchanged: number;
  diff_changed: number;
  diff_new: number;
  diff_gone: number;
  hidden_text_total: number;
  pages_without_text: string;
  read_by: ReaderName | null;
  recognized_pages: string;
  chunks_sha256: string | null;
  error_code: ErrorCode | null;
  error_message: string | null;
  error_page: number | null;
  superseded_by: string | null;
  source_path: string | null;
  visibility_narrowed: number;
  visibility_kept: number;
  attempts: number;
  lease_token: string | null;
  lease_expires_at: string | null;
  not_before: string | null;
  created_by: string;
  created_at: string;
  updated_at: string;
}

export function toLeased(row: BatchRow): LeasedBatch {
  const { lease_token: leaseToken, chunks_sha256: chunksSha256, created_by: createdBy } = row;
  return { ...toBatch(row), leaseToken: leaseToken ?? '', chunksSha256, createdBy };
}

export function toBatch(row: BatchRow): Batch {
  const page = row.error_page === null ? {} : { page: row.error_page };
  return {
    id: row.id,
    organizationId: row.organization_id,
    appId: row.app_id,
    domain: row.domain,
    source: row.source,
    folder: row.folder,
    fileName: row.file_name,
    document: row.document,
    fileSha256: row.file_sha256,
    fileSize: row.file_size,
    kind: row.kind,
    sourceUrl: row.source_url,
    visibility: row.visibility,
    status: row.status,
    totalPages: row.total_pages,
    processedPages: row.processed_pages,
    totalChunks: row.total_chunks,
    processedChunks: row.processed_chunks,
    droppedEntries: row.dropped_entries,
    fallbackChunks: row.fallback_chunks,
    diff: {
      unchanged: row.diff_unchanged,
      changed: row.diff_changed,
      new: row.diff_new,
      gone: row.diff_gone,
    },
    hiddenTextTotal: row.hidden_text_total,
    pagesWithoutText: JSON.parse(row.pages_without_text) as number[],
    readBy: row.read_by,
    recognizedPages: JSON.parse(row.recognized_pages) as RecognizedPage[],
    error:
      row.error_code === null
        ? null
        : { code: row.error_code, message: row.error_message ?? '', ...page },
    supersededBy: row.superseded_by,
    visibilityNarrowed: row.visibility_narrowed,
    visibilityKept: row.visibility_kept,
    attempts: row.attempts,
    createdBy: row.created_by,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}
