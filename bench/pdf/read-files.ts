import { listPdfs, type PdfFile } from '../pdf-folder.js';
import { Reader } from './readers.js';
import type { ReadReply } from './reader-process.js';

/** A file with what both readers made of it. */
export interface ReadFile {
  file: PdfFile;
  ours: ReadReply;
  plain: ReadReply;
}

/** Reads every PDF of the folders once by ours and once by plain pdf-parse, each in a process of its own. */
export async function readFiles(folders: readonly string[]): Promise<ReadFile[]> {
  const ours = new Reader('ours');
  const plain = new Reader('plain');
  const files: ReadFile[] = [];
  try {
    for (const file of await listPdfs(folders)) {
      const [byUs, byPlain] = await Promise.all([ours.read(file.path), plain.read(file.path)]);
      files.push({ file, ours: byUs, plain: byPlain });
    }
  } finally {
    await Promise.all([ours.close(), plain.close()]);
  }
  return files;
}
