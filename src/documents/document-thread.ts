import { PdfReading } from '../pdf/threads/pdf-reading.js';
import { packSections } from '../pdf/threads/packed-sections.js';
import { mergeHidden } from '../pdf/threads/hidden-texts.js';
import type { DocumentResults, DocumentTask } from '../pdf/threads/protocol.js';
import { serveThread } from '../pdf/threads/serve-thread.js';

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
