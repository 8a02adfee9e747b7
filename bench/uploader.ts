import { once } from 'node:events';
import { parentPort, Worker, workerData } from 'node:worker_threads';
import { createApiClient } from '../src/main/demo-api-client.js';

interface Account {
  url: string;
  email: string;
  password: string;
  domain: string;
}

/** A client of the server in a thread of its own, so that its work is not taken for the server's. */
export interface Uploader {
  /** Uploads, and resolves when the file is ingested; fails when its ingestion does. */
  ingest(bytes: Uint8Array): Promise<void>;
  stop(): Promise<void>;
}

export async function startUploader(account: Account): Promise<Uploader> {
  const worker = new Worker(new URL(import.meta.url), { workerData: account });
  await once(worker, 'message');
  return {
    async ingest(bytes) {
      worker.postMessage(bytes);
      const [outcome] = (await once(worker, 'message')) as [string];
      if (outcome !== 'completed') throw new Error(`the file was not ingested: ${outcome}`);
    },
    async stop() {
      await worker.terminate();
    },
  };
}

const port = parentPort;
// In the thread that startUploader starts; imported elsewhere, this module does nothing.
if (port !== null) {
  const { url, email, password, domain } = workerData as Account;
  const client = await createApiClient(url, email, password);
  port.on('message', (bytes: Uint8Array) => {
    const ingested = async () => {
      const batch = await client.waitFor(await client.upload('manual.pdf', bytes, domain));
      return batch.error?.code ?? batch.status;
    };
    ingested().then(
      (outcome) => port.postMessage(outcome),
      (error: unknown) => port.postMessage(String(error)),
    );
  });
  port.postMessage('ready');
}
