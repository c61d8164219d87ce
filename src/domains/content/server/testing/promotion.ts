import type { TestApp } from '#testing/testApp.ts';
import type { InputOf } from '#kernel/contract/call.ts';
import { makeOn } from '#domains/pharma/server/testing/fixtures.ts';
import { addPromotionTag } from '../../contract/promotion/calls.ts';
import { fresh, keeper, makeGroup } from './marks.ts';

export const tagFields = () => ({
  markName: fresh('促销'),
  displayText: '惠民保',
  style: 'PILL' as const,
  pages: ['MP_MALL' as const],
});

export const makePromotionGroup = (app: TestApp): Promise<string> => makeGroup(app, { objectType: 'MEDICINE', kind: 'PROMOTION' });

/** A promotion tag, of a group of its own unless one is named. */
export async function makeTag(app: TestApp, more: Partial<InputOf<typeof addPromotionTag>> = {}): Promise<string> {
  const groupId = more.groupId ?? (await makePromotionGroup(app));
  return (await app.ok(addPromotionTag, { ...tagFields(), ...more, groupId }, { as: await keeper(app) })).id;
}

/** A medicine that is on sale. */
export const makeMedicine = async (app: TestApp): Promise<{ id: string; medicineNo: string }> => (await makeOn(app)).medicine;
