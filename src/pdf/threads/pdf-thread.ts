import { PdfReading } from './pdf-reading.js';
import { serveThread } from './serve-thread.js';
import type { PdfTask } from './protocol.js';

// The program of a thread that reads PDFs alone.
serveThread((onPage) => {
  const reading = new PdfReading(onPage);
  return {
    run: (task) => reading.run(task as PdfTask),
    forget: (file) => reading.forget(file),
  };
});
