import {
  getDocument,
  PDFWorker,
  VerbosityLevel,
  type PDFDocumentProxy,
} from 'pdfjs-dist/legacy/build/pdf.mjs';
import { markStretches } from '../../chat/view/mark-stretches.js';
import { findDraft } from './find-draft.js';
import { openPdfPage, type PdfPage } from './pdf-page.js';

/** The pages of a draft, the first page of the next one, and the draft's text. */
export interface Draft {
  from: number;
  to: number;
  /** 0 when there is no next draft. */
  ahead: number;
  blocks: string[];
}

export interface PdfViewer {
  show(draft: Draft): Promise<void>;
}

/** The most pages that are shown at once. More can be leafed to. */
const mostPages = 30;
/** The zoom's steps; 1 is the width of the panel. */
const zooms = [1, 1.25, 1.5, 2, 3];

/** Opens the panel's file, and reads of it only the ranges of bytes that its pages need. */
export async function openPdfViewer(panel: HTMLElement): Promise<PdfViewer> {
  const list = part(panel, 'pages');
  const place = part(panel, 'place');
  const pdf = await openFile(panel.dataset);
  const pages = new Map<number, Promise<PdfPage>>();
  let shown = { from: 1, to: 1 };
  let zoom = 0;
  let round = 0;

  const scale = () => list.clientWidth * (zooms[zoom] ?? 1);
  const open = (number: number): Promise<PdfPage> => {
    const known = pages.get(number);
    if (known !== undefined) return known;
    const opened = openPdfPage(pdf, number, { root: list, width: scale() });
    pages.set(number, opened);
    return opened;
  };
  /** Puts the pages from one to another into the panel. False when another draft is shown meanwhile. */
  const lay = async (from: number, to: number): Promise<boolean> => {
    const own = ++round;
    const numbers = Array.from({ length: to - from + 1 }, (_, index) => from + index);
    const opened = await Promise.all(numbers.map((number) => open(number)));
    if (own !== round) return false;
    shown = { from, to };
    list.replaceChildren(...opened.map(({ box }) => box));
    tellPlace();
    return true;
  };
  const tellPlace = () => {
    const at = pageInView(list) ?? shown.from;
    const words = place.dataset['place'] ?? '';
    place.textContent = words.replace('{at}', String(at)).replace('{all}', String(pdf.numPages));
    return at;
  };
  const leaf = async (by: number) => {
    const at = Math.min(Math.max(tellPlace() + by, 1), pdf.numPages);
    const { from, to } = shown;
    const isNear = at >= from - 1 && at <= to + 1 && to - from < mostPages;
    const first = isNear ? Math.min(from, at) : at;
    if (!(await lay(first, isNear ? Math.max(to, at) : at))) return;
    list.scrollTop = (await open(at)).box.offsetTop - list.offsetTop;
    tellPlace();
  };
  const resize = async () => {
    for (const page of pages.values()) (await page).resize(scale());
    list.classList.toggle('zoomed', zoom > 0);
  };

  list.addEventListener('scroll', tellPlace, { passive: true });
  new ResizeObserver(() => void resize()).observe(list);
  panel.addEventListener('click', (event) => {
    const { leaf: by, zoom: step } =
      (event.target as Element).closest<HTMLElement>('button')?.dataset ?? {};
    if (by !== undefined) void leaf(Number(by));
    if (step === undefined) return;
    zoom = Math.min(Math.max(zoom + Number(step), 0), zooms.length - 1);
    void resize();
  });

  return {
    async show({ from, to, ahead, blocks }) {
      const first = Math.min(from, pdf.numPages);
      const last = Math.min(Math.max(to, first), first + mostPages - 1, pdf.numPages);
      if (!(await lay(first, last))) return;
      const own = round;
      await Promise.all(range(first, last).map(async (one) => (await open(one)).text));
      if (own !== round) return;
      mark(list, blocks);
      const start = list.querySelector('mark');
      list.scrollTop = 0;
      if (start !== null) {
        const above = start.getBoundingClientRect().top - list.getBoundingClientRect().top;
        list.scrollTop = Math.max(0, above - 48);
      }
      tellPlace();
      if (ahead > 0 && ahead <= pdf.numPages) (await open(ahead)).draw();
      forgetFar(pages, range(first, last).concat(ahead));
    },
  };
}

function openFile(facts: DOMStringMap): Promise<PDFDocumentProxy> {
  const port = new Worker(workerAddress(facts['worker'] ?? ''), { type: 'module' });
  return getDocument({
    url: facts['pdf'] ?? '',
    // Only what the shown pages need is read.
    disableAutoFetch: true,
    disableStream: true,
    // The file is untrusted: nothing of it is run.
    isEvalSupported: false,
    // WebAssembly would need a weaker policy. Pictures in JPEG 2000 are read by a script instead.
    useWasm: false,
    wasmUrl: `${facts['openjpeg'] ?? ''}/`,
    enableXfa: false,
    cMapUrl: `${facts['fonts'] ?? ''}/cmaps/`,
    standardFontDataUrl: `${facts['fonts'] ?? ''}/standard_fonts/`,
    cMapPacked: true,
    // The worker has no network: this page reads for it.
    useWorkerFetch: false,
    maxImageSize: 64_000_000,
    worker: PDFWorker.create({ port }),
    verbosity: VerbosityLevel.ERRORS,
  }).promise;
}

/** The one address that the pages' policy lets run as a script. */
function workerAddress(address: string): string {
  const { trustedTypes } = window as unknown as {
    trustedTypes?: {
      createPolicy(
        name: string,
        rules: { createScriptURL: (text: string) => string },
      ): { createScriptURL(text: string): string };
    };
  };
  const rules = { createScriptURL: (text: string) => (text === address ? text : '') };
  return trustedTypes?.createPolicy('backoffice', rules).createScriptURL(address) ?? address;
}

/** Marks the words of a draft in the text of the pages, and nothing else. */
function mark(list: HTMLElement, blocks: readonly string[]): void {
  for (const old of list.querySelectorAll('mark')) {
    const { parentElement } = old;
    old.replaceWith(...old.childNodes);
    parentElement?.normalize();
  }
  markStretches(list, (shown) => findDraft(shown, blocks), '');
}

/** The number of the page in the middle of the panel. */
function pageInView(list: HTMLElement): number | undefined {
  const { top, height } = list.getBoundingClientRect();
  const boxes = [...list.querySelectorAll<HTMLElement>('[data-number]')];
  const box = boxes.find((one) => one.getBoundingClientRect().bottom > top + height / 3);
  return box && Number(box.dataset['number']);
}

/** The most pages that are kept beside those of the draft: each costs some megabytes. */
const mostKept = 6;

/** Forgets the oldest pages. */
function forgetFar(pages: Map<number, Promise<PdfPage>>, needed: readonly number[]): void {
  for (const [number, page] of pages) {
    if (pages.size <= needed.length + mostKept) return;
    if (needed.includes(number)) continue;
    pages.delete(number);
    void page.then((one) => one.close());
  }
}

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, index) => from + index);
}

function part(panel: HTMLElement, name: string): HTMLElement {
  const found = panel.querySelector<HTMLElement>(`[data-${name}]`);
  if (found === null) throw new Error(`the panel has no ${name}`);
  return found;
}
