import { AppError } from '../../platform/errors.js';
import type { HiddenText } from '../layout/page.js';
import { leastAgreement, samplesOf, type PageReading } from '../ocr/choose-pages.js';
import type { Recognition } from '../ocr/page-recognizer.js';

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
  recognize: (page: number) => Promise<Recognition>;
  onPage: () => void;
  signal: AbortSignal;
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
  const pagesFor = (reason: PageReading['reason']) =>
    pictured.filter((each) => each.reason === reason).map(({ page }) => page);
  const layered = pagesFor('layered');
  const read = async (page: number) => ({ page, result: await attempt(page, means) });
  const samples = samplesOf(layered);
  const [needed, sampled] = await Promise.all([
    Promise.all(pagesFor('needed').map((page) => counted(read(page), means))),
    Promise.all(samples.map((page) => counted(read(page), means))),
  ]);
  for (const { page, result } of needed) keep(found, page, result);
  const rest = layered.filter((page) => !samples.includes(page));
  if (agreementOf(sampled.map(({ result }) => result)) >= leastAgreement) {
    for (const _ of rest) means.onPage();
    return found;
  }
  const distrusted = await Promise.all(rest.map((page) => counted(read(page), means)));
  for (const { page, result } of [...sampled, ...distrusted]) {
    if (result === undefined) found.hidden.push({ page, reason: 'unchecked', text: '' });
    else if (result.agreement < leastAgreement) {
      keep(found, page, result);
      found.hidden.push({ page, reason: 'invisible', text: result.text });
    }
  }
  return found;
}

/** The mean of the samples. One that could not be read agrees with nothing. */
function agreementOf(samples: readonly (Recognition | undefined)[]): number {
  if (samples.length === 0) return 1;
  return samples.reduce((sum, sample) => sum + (sample?.agreement ?? 0), 0) / samples.length;
}

async function counted<T>(work: Promise<T>, { onPage }: Means): Promise<T> {
  const result = await work;
  onPage();
  return result;
}

function keep(found: RecognizedPages, page: number, result: Recognition | undefined): void {
  if (result === undefined) return;
  found.pages.push(result.pages);
  if (result.confidence > 0) found.recognized.push({ page, confidence: result.confidence });
}

async function attempt(page: number, { recognize, signal }: Means) {
  try {
    return await recognize(page);
  } catch (error) {
    const isStopping = error instanceof AppError && error.code === 'shutting_down';
    if (signal.aborted || isStopping) throw error;
    return undefined;
  }
}
