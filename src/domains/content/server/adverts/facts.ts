import type { CheckedInputOf } from '#kernel/contract/call.ts';
import { refuse, refuseField } from '#kernel/contract/errors.ts';
import type { Instant } from '#kernel/contract/time.ts';
import type { CommandContext, Tx } from '#kernel/server/context.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import type { addAdvertise } from '../../contract/adverts/calls.ts';
import { advertErrors } from '../../contract/adverts/errors.ts';
import { failedPoints, lawFault, unanswered, type AuditChecks } from '../../contract/adverts/law.ts';
import { auditPoints, sponsorThingOf, sponsorTypes } from '../../contract/adverts/dictionaries.ts';
import { positionOf, type Position } from '../../contract/delivery/positions.ts';
import { ownTx } from '../database.ts';

export type AdvertInput = CheckedInputOf<typeof addAdvertise>;

export type Sponsor = Pick<AdvertInput, 'sponsorType' | 'sponsorId' | 'sponsorName'>;
/** Who pays: a record where its kind is registered, with the name that it has now. @throws Refusal SCM90020 */
export async function sponsorOf(kernel: Kernel, ctx: Pick<CommandContext, 'tx' | 'staff' | 'now'>, given: Sponsor): Promise<Sponsor> {
  const { sponsorType, sponsorId, sponsorName } = given;
  const thing = sponsorThingOf(sponsorType);
  const type = thing === null ? undefined : kernel.registry.objectTypes.get(thing);
  if (!type) return { sponsorType, sponsorId: null, sponsorName };
  const noun = sponsorTypes.label(sponsorType);
  if (sponsorId === null) throw refuseField('sponsorId', `请选择${noun}`);
  const [found] = await type.labels(ctx.tx, ctx.staff, [sponsorId], ctx.now);
  if (!found) throw refuseField('sponsorId', `${noun}不存在，请重新选择`);
  return { sponsorType, sponsorId, sponsorName: found.name };
}

/** What an advertisement has beyond a delivery and its sponsor, as it is stored. @throws Refusal SCM90020 */
export function advertFacts(input: AdvertInput) {
  const { kind, pageCode } = positionOf(input.positionCode);
  if ((input.budgetType === 'NONE') !== (input.budgetCount === null))
    throw refuseField('budgetCount', input.budgetType === 'NONE' ? '不限预算时不填写预算数量' : '请输入预算数量');
  if (input.capPerPersonTotal !== null && input.capPerPersonTotal < input.capPerPersonDay)
    throw refuseField('capPerPersonTotal', '每人累计上限不能小于每日上限');
  if (kind === 'SPLASH' && input.showSeconds === null) throw refuseField('showSeconds', '请输入展示秒数');
  return {
    pageCode,
    adClass: input.adClass,
    approvalNo: input.approvalNo,
    approvalUntil: input.approvalUntil,
    approvalFileId: input.approvalFileId,
    disclaimer: input.disclaimer,
    capPerPersonDay: input.capPerPersonDay,
    capPerPersonTotal: input.capPerPersonTotal,
    // What covers the page can always be closed.
    closable: kind === 'SPLASH' || kind === 'POPUP' || input.closable,
    showSeconds: kind === 'SPLASH' ? input.showSeconds : null,
    budgetType: input.budgetType,
    budgetCount: input.budgetCount === null ? null : String(input.budgetCount),
    contractRef: input.contractRef,
  };
}

export const advertOf = (tx: Tx, id: string) =>
  ownTx(tx).selectFrom('contentAdvert').selectAll().where('deliveryId', '=', id).executeTakeFirstOrThrow();

type Judged = Pick<
  Awaited<ReturnType<typeof advertOf>>,
  'adClass' | 'approvalNo' | 'approvalUntil' | 'approvalFileId' | 'disclaimer' | 'sponsorName'
>;

/** @throws Refusal SCM04020 to SCM04024 */
export function requireLawful(ad: Judged, delivery: { name: string; altText: string; endAt: Instant }, position: Position): void {
  const fault = lawFault(
    { ...ad, endAt: delivery.endAt, texts: [delivery.name, delivery.altText, ad.disclaimer, ad.sponsorName] },
    position,
  );
  if (fault === null) return;
  const refused = advertErrors[fault.refusal];
  const words = { words: fault.words ?? '' };
  throw refuse(refused, words, { fields: [{ path: fault.path, message: refused.text.replace('{words}', words.words) }] });
}

/** @throws Refusal SCM04025 for a point without an answer; SCM90020 for one that speaks against it. */
export function requireChecked(checks: AuditChecks, ad: Judged): void {
  if (unanswered(checks)) throw refuse(advertErrors.UNANSWERED, { fields: [{ path: 'checks', message: advertErrors.UNANSWERED.text }] });
  const failed = failedPoints(checks, ad.adClass).map((point) => auditPoints.label(point));
  if (failed.length > 0) throw refuseField('checks', `审核要点不符合：${failed.join('、')}，请驳回`);
}
