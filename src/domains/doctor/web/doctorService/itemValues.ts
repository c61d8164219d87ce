import type { UploadedFile } from '#kernel/web/files/places.ts';
import type { PracticeCategory, TitleCode } from '../../contract/dictionaries.ts';
import type { ItemRow } from '../../contract/calls/items.ts';
import type { PriceBands } from '../../contract/rules/price.ts';

/** What the form of a service item holds. */
export interface ItemValues {
  itemCode?: string;
  name: string;
  itemType: ItemRow['itemType'];
  careKind: ItemRow['careKind'];
  categoryId: string;
  summary?: string;
  detail?: string;
  cover?: readonly UploadedFile[];
  billing: ItemRow['billing'];
  quotaReplies?: number | null;
  periodDays?: number | null;
  durationMin?: 10 | 15 | 20 | 30 | 60 | null;
  freeAllowed: boolean;
  priceBands: PriceBands;
  acceptHours: number;
  replyHours: number;
  validHours?: number | null;
  needSlot: boolean;
  titleMin: TitleCode;
  categories: PracticeCategory[];
  productLineId?: string | null;
  agreement?: readonly UploadedFile[];
}
