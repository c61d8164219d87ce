import type { TagStyle } from './dictionaries.ts';

/** How many tags of a style one card has room for. */
export const CARD_ROOM: Readonly<Record<TagStyle, number>> = { CORNER: 1, PILL: 2, TEXT: 1 };

export interface CardTag {
  id: string;
  style: TagStyle;
  priority: number;
  createdAt: string;
  startAt: string | null;
  endAt: string | null;
  /** The tag and its group are in use. */
  enabled: boolean;
}

/** Why a tag that a medicine carries is not on its card. */
export const hiddenReasons = { OFF: '已停用', WAITING: '未开始', ENDED: '已结束', FULL: '超出卡片位置' } as const;
export type HiddenReason = keyof typeof hiddenReasons;

type Period = Pick<CardTag, 'startAt' | 'endAt'>;

/** From its start on, before its end. */
export const periodOf = ({ startAt, endAt }: Period, now: string): 'WAITING' | 'LIVE' | 'ENDED' => {
  if (startAt !== null && Date.parse(now) < Date.parse(startAt)) return 'WAITING';
  return endAt !== null && Date.parse(now) >= Date.parse(endAt) ? 'ENDED' : 'LIVE';
};

/** By priority, then the newest one. */
const before = (a: CardTag, b: CardTag): number =>
  b.priority - a.priority || Date.parse(b.createdAt) - Date.parse(a.createdAt) || (BigInt(b.id) > BigInt(a.id) ? 1 : -1);

/** R9: the tags on the card of a medicine in their order, and why the others are not on it. Pure. */
export function cardOf<T extends CardTag>(tags: readonly T[], now: string): { shown: T[]; hidden: { tag: T; reason: HiddenReason }[] } {
  const shown: T[] = [];
  const hidden: { tag: T; reason: HiddenReason }[] = [];
  const taken: Record<TagStyle, number> = { CORNER: 0, PILL: 0, TEXT: 0 };
  for (const tag of tags.toSorted(before)) {
    const period = periodOf(tag, now);
    if (!tag.enabled) hidden.push({ tag, reason: 'OFF' });
    else if (period !== 'LIVE') hidden.push({ tag, reason: period });
    else if (taken[tag.style] >= CARD_ROOM[tag.style]) hidden.push({ tag, reason: 'FULL' });
    else {
      taken[tag.style] += 1;
      shown.push(tag);
    }
  }
  return { shown, hidden };
}
