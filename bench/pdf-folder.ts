import { existsSync } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';

export interface PdfFile {
  path: string;
  name: string;
  /** Bytes. */
  size: number;
  /** `ok`, or the code of the failure that the folder's manifest.json names; undefined without an entry. */
  expected: string | undefined;
  /** Path of the text that the manifest gives as the file's true one. */
  truth: string | undefined;
}

/** What a manifest.json may say of a file, and the product's word for it. */
const outcomes = {
  ok: 'ok',
  encrypted: 'encrypted',
  no_text: 'no_extractable_text',
  damaged: 'damaged',
  not_pdf: 'not_a_pdf',
} as const;

const manifestSchema = z.array(
  z.object({
    file: z.string(),
    expected: z.enum(Object.keys(outcomes) as (keyof typeof outcomes)[]),
    truth: z.string().optional(),
  }),
);

type ManifestEntry = z.infer<typeof manifestSchema>[number];

/** The PDFs of the folders by name, with what is to come of them where a manifest.json says so. */
export async function listPdfs(folders: readonly string[]): Promise<PdfFile[]> {
  const files: PdfFile[] = [];
  for (const folder of folders) {
    const manifest = await readManifest(join(folder, 'manifest.json'));
    for (const name of (await readdir(folder)).sort()) {
      if (!name.toLowerCase().endsWith('.pdf')) continue;
      const path = join(folder, name);
      const entry = manifest.get(name);
      files.push({
        path,
        name,
        size: (await stat(path)).size,
        expected: entry && outcomes[entry.expected],
        truth: entry?.truth === undefined ? undefined : join(folder, entry.truth),
      });
    }
  }
  if (files.length === 0) throw new Error(`There is no PDF in ${folders.join(', ')}.`);
  return files;
}

async function readManifest(path: string): Promise<Map<string, ManifestEntry>> {
  if (!existsSync(path)) return new Map();
  const entries = manifestSchema.parse(JSON.parse(await readFile(path, 'utf8')));
  return new Map(entries.map((entry) => [entry.file, entry]));
}
