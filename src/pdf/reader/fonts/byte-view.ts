/** Big-endian numbers of a font program. Positions beyond its end read as 0. */
export class ByteView {
  constructor(readonly bytes: Uint8Array) {}

  get length(): number {
    return this.bytes.length;
  }

  u8(at: number): number {
    return this.bytes[at] ?? 0;
  }

  u16(at: number): number {
    return (this.u8(at) << 8) | this.u8(at + 1);
  }

  u32(at: number): number {
    return this.u16(at) * 65_536 + this.u16(at + 2);
  }

  /** One character per byte. */
  text(from: number, to: number): string {
    return Buffer.from(this.bytes.subarray(from, Math.max(from, to))).toString('latin1');
  }

  from(at: number, length?: number): ByteView {
    const end = length === undefined ? undefined : at + length;
    return new ByteView(this.bytes.subarray(at, end));
  }
}
