import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { ocrFiles, recognizedLanguages } from './ocr-folder.js';

/** pdf.js does not export its fax decoder, which its JBIG2 decoder uses. */
const exported = 'export { Jbig2Error, Jbig2Image,';
/** The functions that take memory for a size that the file states, and this size. Each asks before. */
const sized = {
  prepareComponents: 'frame.samplesPerLine, frame.scanLines, frame.components.length',
  onPageInformation: 'info.width, info.height, 1',
  decodeBitmap: 'width, height, 1',
  decodeMMRBitmap: 'width, height, 1',
  readUncompressedBitmap: 'width, height, 1',
  decodeRefinement: 'width, height, 1',
  decodeTextRegion: 'width, height, 1',
  decodeHalftoneRegion: 'regionWidth, regionHeight, 1',
};
const limit = 'let checkSize;\nexport function limitSizes(check) {\n  checkSize = check;\n}\n';
/** Node 20 has no Promise.withResolvers, which the JPEG 2000 decoder needs. */
const resolvers =
  'Promise.withResolvers ??= function () { const all = {}; all.promise = new this((resolve, reject) => Object.assign(all, { resolve, reject })); return all; };\n';

/**
 * Copies what recognition needs into `out`: 10 of 90 MB of its packages. It runs without a network and without these
 * packages. Throws when pdf.js exports its decoders in another way than its pinned version does.
 */
export async function buildOcr(out: string): Promise<void> {
  const require = createRequire(import.meta.url);
  const folderOf = (name: string) => dirname(require.resolve(`${name}/package.json`));
  await rm(out, { recursive: true, force: true });
  await mkdir(out, { recursive: true });
  const core = folderOf('tesseract.js-core');
  await cp(join(core, 'tesseract-core-simd-lstm.js'), join(out, ocrFiles.core));
  await cp(join(core, 'tesseract-core-simd-lstm.wasm'), join(out, ocrFiles.wasm));
  await cp(join(core, 'LICENSE'), join(out, 'LICENSE_TESSERACT'));
  for (const code of recognizedLanguages) {
    const file = `${code}.traineddata.gz`;
    const folder = folderOf(`@tesseract.js-data/${code}`);
    await cp(join(folder, '4.0.0_best_int', file), join(out, file));
  }
  const pdfjs = folderOf('pdfjs-dist');
  await cp(join(pdfjs, 'wasm/openjpeg.wasm'), join(out, ocrFiles.openjpeg));
  await cp(join(pdfjs, 'LICENSE'), join(out, 'LICENSE_PDFJS'));
  for (const file of ['LICENSE_OPENJPEG', 'LICENSE_PDFJS_OPENJPEG']) {
    await cp(join(pdfjs, 'wasm', file), join(out, file));
  }
  const text = await readFile(join(pdfjs, 'image_decoders/pdf.image_decoders.mjs'), 'utf8');
  const plain = text.replace(/\/\/# sourceMappingURL=.*$/, '');
  await writeFile(join(out, ocrFiles.decoders), resolvers + limit + editDecoders(plain));
}

function editDecoders(text: string): string {
  let decoders = text.replace(exported, `export { CCITTFaxDecoder, Jbig2Error, Jbig2Image,`);
  let edits = decoders === text || !text.includes('class CCITTFaxDecoder') ? 0 : 1;
  for (const [name, size] of Object.entries(sized)) {
    const declaration = new RegExp(`^ *(function )?${name}\\([^)]*\\) \\{$`, 'gm');
    decoders = decoders.replace(declaration, (line) => {
      edits++;
      return `${line}\n  checkSize(${size});`;
    });
  }
  if (edits !== Object.keys(sized).length + 1) {
    throw new Error('The image decoders of pdfjs-dist have changed.');
  }
  return decoders;
}
