import { platformErrors, refuse } from '#kernel/contract/errors.ts';
import { query } from '#kernel/server/handler.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { previewPromotionTag } from '../../contract/promotion/calls.ts';
import { cardOf } from '../../contract/promotion/card.ts';
import { own } from '../database.ts';
import { typeOf } from '../marks/objects.ts';

/** The card of one medicine by R9, and why it shows no more. */
export const preview = (kernel: Kernel) =>
  query(previewPromotionTag, async ({ medicineId, medicineNo }, ctx) => {
    const medicines = typeOf(kernel, 'MEDICINE');
    const [medicine] = medicineId
      ? await medicines.labels(ctx.db, ctx.staff, [medicineId], ctx.now)
      : await medicines.numbered(ctx.db, ctx.staff, [(medicineNo ?? '').toUpperCase()], ctx.now);
    if (!medicine) throw refuse(platformErrors.NOT_FOUND, { message: '药品不存在或已删除' });
    const rows = await own(ctx.db)
      .selectFrom('contentMarkBinding as b')
      .innerJoin('contentPromotionTag as p', 'p.markId', 'b.markId')
      .innerJoin('contentMark as m', 'm.id', 'p.markId')
      .innerJoin('contentTagGroup as g', 'g.id', 'p.groupId')
      .select(['m.id', 'm.markName', 'p.displayText', 'p.style', 'm.color', 'p.priority', 'p.startAt', 'p.endAt', 'm.createdAt'])
      .select(['m.state', 'g.state as groupState'])
      .where('b.objectType', '=', 'MEDICINE')
      .where('b.objectId', '=', medicine.id)
      .where('b.endedAt', 'is', null)
      .where((eb) => eb.or([eb('b.expireAt', 'is', null), eb('b.expireAt', '>', ctx.now)]))
      .orderBy('m.id')
      .execute();
    const tags = rows.map(({ state, groupState, ...row }) => ({ ...row, enabled: state === 'ENABLED' && groupState === 'ENABLED' }));
    const { shown, hidden } = cardOf(tags, ctx.now);
    const present = ({ id, markName, displayText, style, color, priority }: (typeof tags)[number]) => ({
      id,
      markName,
      displayText,
      style,
      color,
      priority,
    });
    return {
      medicineId: medicine.id,
      medicineNo: medicine.no,
      name: medicine.name,
      shown: shown.map(present),
      hidden: hidden.map(({ tag, reason }) => ({ tag: present(tag), reason })),
    };
  });
