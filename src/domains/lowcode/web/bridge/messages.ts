/** What the page of the shell and the frame with the renderer say to each other. Nothing of the session is ever among it. */

/** The first message carries the one channel over which everything else goes. */
export const OPENING = 'kangqiao.frame';

/** An answer in the renderer's own form. */
export interface FrameAnswer {
  status: 0 | 1 | 422;
  msg: string;
  data?: unknown;
  errors?: Readonly<Record<string, string>>;
}

interface ColumnFacts {
  key: string;
  label: string;
  reveals: boolean;
}
interface StatFacts {
  name: string;
  dimensions: readonly { key: string; label: string }[];
  measures: readonly { key: string; label: string }[];
}
/** What host components know of a dataset. */
export interface DatasetFacts {
  code: string;
  keyField: string;
  columns: readonly ColumnFacts[];
  stats: readonly StatFacts[];
  exportCall: string | null;
  importerCode: string | null;
}

/** What a field of the frame lets the page around it ask for. */
export type Choice =
  | { of: 'region' }
  | { of: 'file'; purpose: string; max: number }
  | { of: 'options'; dataset: string; options: string }
  /** Variables as the definition says them; the page reads them itself. */
  | { of: 'condition'; variables: unknown };
/** What was chosen, with its words. */
export interface Chosen {
  value: string;
  text: string;
}

export type ToFrame =
  | {
      kind: 'show';
      definition: unknown;
      query: Readonly<Record<string, string>>;
      datasets: readonly DatasetFacts[];
      /** Custom properties of the product's theme. */
      theme: Readonly<Record<string, string>>;
      dark: boolean;
    }
  | { kind: 'theme'; theme: Readonly<Record<string, string>>; dark: boolean }
  | { kind: 'answer'; id: number; answer: unknown }
  /** The keyboard goes to the first field of the search. */
  | { kind: 'search' }
  | { kind: 'stop' };

export type Tone = 'success' | 'error' | 'warning' | 'info';

export type FromFrame =
  | { kind: 'ready' }
  | { kind: 'shown' }
  | { kind: 'height'; px: number }
  | { kind: 'call'; id: number; url: string; data: Readonly<Record<string, unknown>> }
  | { kind: 'reveal'; id: number; dataset: string; column: string; key: string }
  | { kind: 'export'; id: number; dataset: string; filters: Readonly<Record<string, unknown>> }
  | { kind: 'import'; id: number; dataset: string }
  | { kind: 'window'; id: number; window: string; record: string }
  | { kind: 'choose'; id: number; title: string; choice: Choice; value: string }
  | { kind: 'words'; id: number; choice: Choice; value: string }
  | { kind: 'confirm'; id: number; text: string; title: string }
  | { kind: 'notify'; tone: Tone; text: string }
  | { kind: 'navigate'; href: string }
  | { kind: 'state'; query: string }
  | { kind: 'copy'; text: string }
  | { kind: 'preview'; fileId: string; fileName: string }
  /** A shortcut of the product, pressed while the frame has the focus. */
  | { kind: 'key'; key: string; code: string; alt: boolean; ctrl: boolean; shift: boolean }
  | { kind: 'failed'; text: string };
