import {
  TextLayer,
  type PageViewport,
  type PDFDocumentProxy,
  type RenderTask,
} from 'pdfjs-dist/legacy/build/pdf.mjs';

export interface PdfPage {
  box: HTMLElement;
  /** Settled when the page's text stands in its place. */
  text: Promise<void>;
  /** Draws the page now, even if nobody sees it yet. */
  draw(): void;
  resize(width: number): void;
  close(): void;
}

/** The most pixels of a drawn page, as memory is 4 bytes of each. */
const mostPixels = 4_000_000;

/** A page of the PDF as a picture with its text on it. It is drawn while it is near the part of `root` that is seen. */
export async function openPdfPage(
  pdf: PDFDocumentProxy,
  number: number,
  { root, width }: { root: HTMLElement; width: number },
): Promise<PdfPage> {
  const page = await pdf.getPage(number);
  const whole = page.getViewport({ scale: 1 });
  const box = document.createElement('div');
  box.className = 'pdf-page';
  box.dataset['number'] = String(number);
  let canvas = document.createElement('canvas');
  const layer = document.createElement('div');
  layer.className = 'pdf-text';
  box.append(canvas, layer);
  let viewport: PageViewport;
  let task: RenderTask | undefined;
  let isWanted = false;
  let drawn = 0;

  const draw = () => {
    isWanted = true;
    if (drawn === viewport.width) return;
    drawn = viewport.width;
    task?.cancel();
    const { width: wide, height } = viewport;
    const ratio = Math.min(devicePixelRatio, 2, Math.sqrt(mostPixels / (wide * height)));
    // The old picture stays until the new picture is complete.
    const next = document.createElement('canvas');
    next.setAttribute('aria-hidden', 'true');
    next.width = Math.floor(wide * ratio);
    next.height = Math.floor(height * ratio);
    const transform = [ratio, 0, 0, ratio, 0, 0];
    const own = page.render({ canvas: next, viewport, transform });
    task = own;
    own.promise.then(
      () => {
        canvas.replaceWith(next);
        canvas = next;
        box.dataset['drawn'] = '';
      },
      // Cancelled, or a page that can't be drawn: its text stands.
      () => undefined,
    );
  };
  const erase = () => {
    isWanted = false;
    drawn = 0;
    task?.cancel();
    canvas.width = 0;
    delete box.dataset['drawn'];
  };
  const resize = (to: number) => {
    viewport = page.getViewport({ scale: Math.max(to, 100) / whole.width });
    box.style.setProperty('--total-scale-factor', String(viewport.scale));
    box.style.width = `${viewport.width}px`;
    box.style.height = `${viewport.height}px`;
    if (isWanted) draw();
  };
  resize(width);
  const seen = new IntersectionObserver(
    (entries) => {
      if (entries.at(-1)?.isIntersecting === true) draw();
      // A page that was fetched ahead, or of the last draft, keeps its picture.
      else if (box.isConnected) erase();
    },
    { root, rootMargin: '100%' },
  );
  seen.observe(box);
  const source = page.streamTextContent();
  const text = new TextLayer({ textContentSource: source, container: layer, viewport: whole });
  return {
    box,
    draw,
    resize,
    text: text.render().then(() => undefined),
    close() {
      seen.disconnect();
      erase();
      page.cleanup();
    },
  };
}
