import type { ReactNode } from 'react';
import type { Dictionary } from '../../contract/dictionary.ts';
import type { Shortcut } from '../keyboard/keys.ts';

/** Whose the files are: who may look at it may look at them. */
interface FileOwner {
  ownerType: string;
  ownerId: string;
}

/** One material of a case: its pictures, or pages of its PDF. */
export interface Evidence extends FileOwner {
  id: string;
  label: string;
  fileIds: readonly string[];
  /** What it would replace, shown beside it on demand. */
  former?: (FileOwner & { label: string; fileIds: readonly string[] }) | null;
}

/** What a reviewer says of each material; each verdict by a key of its own. */
export interface MaterialVerdicts<Code extends string> {
  of: Dictionary<Code>;
  keys: Readonly<Record<Code, string>>;
  given: Readonly<Record<string, Code | null>>;
  /** Absent: it is only shown. */
  judge?(id: string, verdict: Code): void;
}

export interface EvidenceViewerProps<Code extends string = string> {
  caseId: string;
  /** What the materials are called: `证件`. */
  name: string;
  items: readonly Evidence[];
  /** Index of the material that is shown. */
  at: number;
  onChoose(at: number): void;
  /** A picture that is none of the materials, with the key that shows it; the chosen material stays chosen. */
  aside?: (Evidence & { keys: string }) | null;
  verdicts?: MaterialVerdicts<Code>;
  /** What was read from the shown material, beside its picture. */
  values?(item: Evidence): ReactNode;
}

/** Materials that a figure chooses. */
const FIGURES = 9;

interface Acts {
  choose(at: number): void;
  showAside(): void;
  larger(): void;
  smaller(): void;
  whole(): void;
  rotate(): void;
  compare(): void;
  step(by: 1 | -1): void;
}

/** The keys of a viewer: figures choose, `+ - 0 T` look closer, `C` compares, arrows go from page to page. */
export function evidenceKeys<Code extends string>(
  { name, items, aside, verdicts, at }: Pick<EvidenceViewerProps<Code>, 'name' | 'items' | 'aside' | 'verdicts' | 'at'>,
  acts: Acts,
): Shortcut[] {
  const shown = items[at];
  const judge = verdicts?.judge;
  return [
    ...items.slice(0, FIGURES).map(({ label }, index) => ({ keys: String(index + 1), label, act: () => acts.choose(index) })),
    ...(aside ? [{ keys: aside.keys, label: aside.label, act: acts.showAside }] : []),
    { keys: '+', label: '放大', act: acts.larger },
    { keys: '=', label: '放大', act: acts.larger },
    { keys: '-', label: '缩小', act: acts.smaller },
    { keys: '0', label: '适合宽度', act: acts.whole },
    { keys: 'T', label: '旋转', act: acts.rotate },
    { keys: 'C', label: `与原${name}对比`, act: acts.compare },
    { keys: 'ArrowRight', label: '下一张', act: () => acts.step(1) },
    { keys: 'ArrowLeft', label: '上一张', act: () => acts.step(-1) },
    ...(verdicts && judge && shown
      ? verdicts.of.codes.map((code) => ({ keys: verdicts.keys[code], label: verdicts.of.label(code), act: () => judge(shown.id, code) }))
      : []),
  ];
}
