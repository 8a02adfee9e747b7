import { setTimeout as wait } from 'node:timers/promises';
import { AppError } from '../platform/errors.js';

export interface DemoBatch {
  status: 'processing' | 'completed' | 'failed';
  total_pages: number;
  error: { code: string; message: string } | null;
  entries: { id: number; title: string }[];
}

export interface DemoAnswer {
  conversationId: string;
  response: string;
  mode: string;
  found: boolean | null;
  sources: { number: number; title: string; pages?: { from: number; to: number } }[];
}

/** A widget key with its secret, for a host's backend. */
export interface DemoKey {
  key: string;
  secret: string;
}

/** The API for a client: over HTTP, with a bearer token. */
export interface ApiClient {
  upload(fileName: string, bytes: Uint8Array, domain: string): Promise<string>;
  waitFor(batchId: string): Promise<DemoBatch>;
  approve(batchId: string, entryIds: number[]): Promise<number>;
  /** Its conversation is deleted at once, because the person who signs in later has not asked it. */
  ask(question: string, url: string): Promise<DemoAnswer>;
  /** Creates a key of the first app. */
  makeKey(name: string): Promise<DemoKey>;
}

export async function createApiClient(
  url: string,
  email: string,
  password: string,
): Promise<ApiClient> {
  const { token } = await call<{ token: string }>(
    `${url}/api/auth/login`,
    json({ email, password }),
  );
  const authorization = { Authorization: `Bearer ${token}` };
  const batches = `${url}/api/knowledge/ingestion-batches`;
  return {
    async upload(fileName, bytes, domain) {
      const form = new FormData();
      form.set('file', new Blob([new Uint8Array(bytes)], { type: 'application/pdf' }), fileName);
      form.set('domain', domain);
      const init = { method: 'POST', body: form, headers: authorization };
      const started = await call<{ batch_id: string }>(`${url}/api/knowledge/ingest-pdf`, init);
      return started.batch_id;
    },
    async waitFor(batchId) {
      for (;;) {
        const batch = await call<DemoBatch>(`${batches}/${batchId}`, { headers: authorization });
        if (batch.status !== 'processing') return batch;
        await wait(100);
      }
    },
    async approve(batchId, entryIds) {
      const init = json({ entry_ids: entryIds }, authorization);
      return (await call<{ approved: number }>(`${batches}/${batchId}/approve`, init)).approved;
    },
    async ask(question, pageUrl) {
      const body = { message: question, context: { url: pageUrl, title: 'Demo' } };
      const conversations = `${url}/api/conversations`;
      const answer = await call<DemoAnswer>(`${conversations}/message`, json(body, authorization));
      const own = `${conversations}/${answer.conversationId}`;
      await fetch(own, { method: 'DELETE', headers: authorization });
      return answer;
    },
    async makeKey(name) {
      const apps = await call<{ data: { id: number }[] }>(`${url}/api/admin/apps`, {
        headers: authorization,
      });
      const body = { app_id: apps.data[0]?.id, kind: 'public', name };
      return call<DemoKey>(`${url}/api/admin/widget-keys`, json(body, authorization));
    },
  };
}

function json(body: unknown, headers: Record<string, string> = {}): RequestInit {
  return {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'Content-Type': 'application/json', ...headers },
  };
}

async function call<T>(url: string, init: RequestInit): Promise<T> {
  const response = await fetch(url, init);
  const answer = (await response.json()) as T & { detail?: string };
  if (response.ok) return answer;
  throw new AppError('internal', `${url} answered ${response.status}: ${answer.detail ?? ''}`);
}
