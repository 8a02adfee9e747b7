import { PdfReading } from './threads/pdf-reading.js';
import { packSections } from './threads/packed-sections.js';
import { mergeHidden } from './threads/hidden-texts.js';
import type { DocumentResults, DocumentTask } from './threads/protocol.js';
import { serveThread } from './threads/serve-thread.js';

// The program of a thread that reads documents of every kind.
serveThread((onPage) => {
  const pdfs = new PdfReading(onPage);
  return {
    run: (task) => (task.kind === 'document' ? readOther(task) : pdfs.run(task)),
    forget: (file) => pdfs.forget(file),
  };
});

async function readOther(task: DocumentTask): Promise<DocumentResults['document']> {
  const { readDocument } = await import('./read-document.js');
  const { sections, hidden } = await readDocument(task);
  return { batches: packSections(sections), hidden: mergeHidden(hidden) };
}
