/** A picture or page whose print is to be read. */
interface OcrDocument {
  /** What it is (`ID_CARD`, `INVOICE` …); providers choose their model by it. */
  kind: string;
  contentType: string;
  body: Buffer;
}

/** Reads what is printed on documents. Whoever uses it must be able to work without: the embedded one reads nothing. */
export interface Ocr {
  /** False: nothing will ever be read, so that no work is queued for it. */
  readonly available: boolean;
  /** Fields by their names of the kind; what could not be read is absent. @throws Error when the provider does not answer. */
  read(document: OcrDocument, signal?: AbortSignal): Promise<Readonly<Record<string, string>>>;
  /** Number of faces on a picture; null when it cannot be determined. */
  faces(picture: Pick<OcrDocument, 'contentType' | 'body'>, signal?: AbortSignal): Promise<number | null>;
}
