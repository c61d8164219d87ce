import type { ProductLine } from '../../contract/businessLines.ts';
import type { VersionDocument } from '../../contract/model/document.ts';

/** What every part of the editor takes. */
export interface PartProps {
  document: VersionDocument;
  change(patch: Partial<VersionDocument>): void;
  faultOf(path: string): string | undefined;
  line: ProductLine;
}

/** A list with one of its items changed. */
export const withItem = <T extends object>(list: readonly T[], index: number, patch: Partial<T>): T[] =>
  list.map((one, at) => (at === index ? { ...one, ...patch } : one));
