import type { Readable } from 'node:stream';

/** Bytes that the browser saves. */
export class FileAnswer {
  readonly name: string;
  readonly contentType: string;
  readonly body: Buffer | Readable;
  readonly rowCount: number | undefined;

  constructor(file: { name: string; contentType: string; body: Buffer | Readable; rowCount?: number }) {
    this.name = file.name;
    this.contentType = file.contentType;
    this.body = file.body;
    this.rowCount = file.rowCount;
  }
}
