import { inquiryRated } from '#events/consultation.ts';
import type { RatingTag } from '../../contract/dictionaries.ts';
import { ownTx } from '../database.ts';
import type { Deed } from '../deed.ts';
import { statusOf } from '../inquiries/move.ts';
import type { LockedInquiry } from '../inquiries/rows.ts';

export { mayRate } from './myInquiry.ts';

/** The patient's word on what ended; whether he may still say it is checked before. */
export async function rate(
  ctx: Deed,
  { inquiry, place }: LockedInquiry,
  { stars, tags, text }: { stars: number; tags: readonly RatingTag[]; text?: string | undefined },
): Promise<void> {
  const rateTags = [...new Set(tags)];
  await ownTx(ctx.tx)
    .updateTable('consultationInquiry')
    .set({ stars, rateTags, rateText: text ?? null, ratedAt: ctx.now, updatedAt: ctx.now })
    .where('id', '=', inquiry.id)
    .execute();
  await ctx.publish(inquiryRated, inquiry.id, {
    ...statusOf(inquiry, place?.group.ownerAssistantId ?? place?.group.lastAssistantId ?? null, '4', null, ctx.now),
    stars,
    tags: rateTags,
  });
}
