import { PdfReading } from '../pdf/threads/pdf-reading.js';
import type { PdfTask } from '../pdf/threads/protocol.js';
import { serveThread } from '../pdf/threads/serve-thread.js';

// The program of a thread that reads documents of every kind.
serveThread((onPage) => {
  const pdfs = new PdfReading(onPage);
  return {
    run: (task) => pdfs.run(task as PdfTask),
    forget: (file) => pdfs.forget(file),
  };
});
