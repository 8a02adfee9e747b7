import type { Config } from '../platform/config/schema.js';
import { messageOf } from '../platform/errors.js';
import type { Check } from './doctor.schema.js';

const name = 'text recognition';
/** In MB: the engine with its languages, and the picture of a page. */
const leastMemory = 256;

/** Checks that text recognition starts with all its languages, where it is on. */
export async function examineRecognition(
  { ocr, thread_memory_mb: memory }: Config['ingestion'],
  { quick = false }: { quick?: boolean },
  folder?: string,
): Promise<Check> {
  if (ocr === 'off') {
    const finding = 'off (ingestion.ocr): scans are refused';
    return { name, status: 'ok', code: 'recognition_off', finding };
  }
  if (memory < leastMemory) {
    return {
      name,
      status: 'warning',
      code: 'recognition_memory',
      values: { memory, least: leastMemory },
      finding: `ingestion.thread_memory_mb is ${memory}, and a scanned page may need ${leastMemory}`,
      remedy: `Raise it: assistant config set ingestion.thread_memory_mb ${leastMemory}`,
    };
  }
  const values = { mode: ocr };
  if (quick) {
    const finding = `on (${ocr}), not tried`;
    return { name, status: 'ok', code: 'recognition_untried', values, finding };
  }
  try {
    const { tryRecognition } = await import('../pdf/ocr/try-recognition.js');
    await tryRecognition(folder);
    const finding = `on (${ocr}): English, Spanish, German`;
    return { name, status: 'ok', code: 'recognition_works', values, finding };
  } catch (error) {
    return {
      name,
      status: 'failed',
      code: 'recognition_fails',
      values: { mode: ocr },
      finding: `on (${ocr}), but it does not start: ${messageOf(error)}`,
      remedy: 'Install this version again. Until then: assistant config set ingestion.ocr off',
    };
  }
}
