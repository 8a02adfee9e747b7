import { AppError } from '../../platform/errors.js';
import type { HiddenText } from '../../pdf/layout/page.js';
import { leastAgreement, samplesOf, type PageReading } from '../../pdf/ocr/choose-pages.js';
import type { Recognition } from '../../pdf/ocr/page-recognizer.js';

/** A page whose text comes from its picture. */
export interface RecognizedPage {
  page: number;
  /** The mean confidence of its words, from 0 to 100. */
  confidence: number;
}

export interface RecognizedPages {
  recognized: RecognizedPage[];
  /** Serialised PageLines[], which replace what was read of the same pages. */
  pages: Uint8Array[];
  hidden: HiddenText[];
}

interface Means {
  recognize: (page: PageReading) => Promise<Recognition>;
  onPage: () => void;
  signal: AbortSignal;
}

/** What was recognised on a page; undefined when it failed. */
interface Attempt {
  page: number;
  result: Recognition | undefined;
}

/**
 * Reads the pictures of pages that need it, and those of a text layer that its pictures do not show. A page that fails
 * stays as it was read: one bad picture must not cost the file.
 */
export async function recognizePages(
  pictured: readonly PageReading[],
  means: Means,
): Promise<RecognizedPages> {
  const found: RecognizedPages = { recognized: [], pages: [], hidden: [] };
  const needed = pictured.filter(({ reason }) => reason === 'needed');
  const layered = pictured.filter(({ reason }) => reason === 'layered');
  const samples = samplesOf(layered);
  const [read, sampled] = await Promise.all([
    attemptAll(needed, means),
    attemptAll(samples, means),
  ]);
  for (const each of read) keep(found, each);
  const rest = layered.filter((page) => !samples.includes(page));
  if (agreementOf(sampled) >= leastAgreement) {
    for (const _ of rest) means.onPage();
    return found;
  }
  for (const each of [...sampled, ...(await attemptAll(rest, means))]) {
    const { page, result } = each;
    if (result === undefined) found.hidden.push({ page, reason: 'unchecked', text: '' });
    else if (result.layer !== undefined && result.layer.agreement < leastAgreement) {
      keep(found, each);
      found.hidden.push({ page, reason: 'invisible', text: result.layer.text });
    }
  }
  return found;
}

/** The mean of the samples. One that could not be read agrees with nothing. */
function agreementOf(samples: readonly Attempt[]): number {
  if (samples.length === 0) return 1;
  const sum = samples.reduce((all, { result }) => all + (result?.layer?.agreement ?? 0), 0);
  return sum / samples.length;
}

function keep(found: RecognizedPages, { page, result }: Attempt): void {
  if (result === undefined) return;
  found.pages.push(result.pages);
  if (result.confidence > 0) found.recognized.push({ page, confidence: result.confidence });
}

function attemptAll(pages: readonly PageReading[], means: Means): Promise<Attempt[]> {
  return Promise.all(pages.map((page) => attempt(page, means)));
}

async function attempt(page: PageReading, { recognize, onPage, signal }: Means): Promise<Attempt> {
  let result: Recognition | undefined;
  try {
    result = await recognize(page);
  } catch (error) {
    const isStopping = error instanceof AppError && error.code === 'shutting_down';
    if (signal.aborted || isStopping) throw error;
  }
  onPage();
  return { page: page.page, result };
}
