/** Adds to a file of a zip; the last piece ends it. */
export type WriteText = (text: string, isLast: boolean) => void;

export interface OpenZip {
  /** A file that is there once something is written to it. Files are written one after the other. */
  lazyFile(name: string): WriteText;
  /** The whole zip. */
  close(): Uint8Array;
}

/** A zip that is compressed as it is written, piece by piece: between two pieces others have their turn. */
export async function openZip(mtime: Date): Promise<OpenZip> {
  const { Zip, ZipDeflate } = await import('fflate');
  const pieces: Uint8Array[] = [];
  const zip = new Zip((error, piece) => {
    if (error !== null) throw error;
    pieces.push(piece);
  });
  return {
    lazyFile(name) {
      let file: InstanceType<typeof ZipDeflate> | undefined;
      return (text, isLast) => {
        if (file === undefined) {
          file = new ZipDeflate(name);
          file.mtime = mtime;
          zip.add(file);
        }
        file.push(Buffer.from(text), isLast);
      };
    },
    close() {
      zip.end();
      return Buffer.concat(pieces);
    },
  };
}
