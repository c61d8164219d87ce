import type { CheckedInputOf } from '#kernel/contract/call.ts';
import { refuse, refuseField } from '#kernel/contract/errors.ts';
import type { modifyServiceItem } from '../../contract/calls/items.ts';
import { doctorErrors } from '../../contract/errors.ts';
import { titleRanks, titles } from '../../contract/dictionaries.ts';
import { bandInOrder } from '../../contract/rules/price.ts';

type Given = Omit<CheckedInputOf<typeof modifyServiceItem>, 'id' | 'version'>;

const HOURS_A_DAY = 24;
const CALLS: readonly string[] = ['PHONE', 'VIDEO'];
const refundRuleOf = { TIME: 'TIME_NONE', REPLIES: 'REPLIES_SHARE', PERIOD: 'DAYS_SHARE' } as const;

/**
 * What an item consists of, once billing, type, titles and prices go together; what does not apply to them is emptied.
 * @throws Refusal SCM07056 for bands out of order, a malformed request for the rest
 */
export function itemFacts(given: Given) {
  const { billing, itemType, titleMin, priceBands, freeAllowed } = given;
  if (billing === 'REPLIES' && given.quotaReplies === null) throw refuseField('quotaReplies', '请输入回合数');
  if (billing === 'PERIOD' && given.periodDays === null) throw refuseField('periodDays', '请输入周期天数');
  const isCall = CALLS.includes(itemType);
  if (isCall && given.durationMin === null) throw refuseField('durationMin', '请选择通话时长');
  if (isCall && billing !== 'TIME') throw refuseField('billing', '电话、视频问诊按次计费');
  if (billing !== 'PERIOD' && given.validHours === null) throw refuseField('validHours', '请输入服务有效期');
  const validHours = billing === 'PERIOD' ? given.periodDays! * HOURS_A_DAY : given.validHours!;
  if (given.replyHours > validHours) throw refuseField('replyHours', '首响时效不能超过服务有效期');
  for (const title of titles.codes) {
    const band = priceBands[title];
    const wanted = titleRanks[title] >= titleRanks[titleMin];
    if (wanted && !band) throw refuseField(`priceBands.${title}`, `请填写${titles.label(title)}的价格区间`);
    if (!wanted && band) throw refuseField(`priceBands.${title}`, `${titles.label(title)}低于最低职称，不能设置价格区间`);
    if (band && !bandInOrder(band, freeAllowed)) {
      const message = band.minFen === 0 && !freeAllowed ? '未允许免费，最低价须大于0' : doctorErrors.BAND_ORDER.text;
      throw refuse(doctorErrors.BAND_ORDER, { fields: [{ path: `priceBands.${title}`, message }] });
    }
  }
  return {
    ...given,
    quotaReplies: billing === 'REPLIES' ? given.quotaReplies : null,
    periodDays: billing === 'PERIOD' ? given.periodDays : null,
    durationMin: isCall ? given.durationMin : null,
    needSlot: isCall || given.needSlot,
    validHours,
    categories: [...new Set(given.categories)],
    refundRuleCode: refundRuleOf[billing],
  };
}
