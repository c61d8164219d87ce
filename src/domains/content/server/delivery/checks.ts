import { checkInput } from '#kernel/server/http/validate.ts';
import type { CheckedInputOf } from '#kernel/contract/call.ts';
import { refuse, refuseField } from '#kernel/contract/errors.ts';
import { fileErrors } from '#kernel/contract/fileErrors.ts';
import { days, type Instant } from '#kernel/contract/time.ts';
import type { CommandContext, Context, Db, Tx } from '#kernel/server/context.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { pictureSize } from '#domains/files/server/index.ts';
import type { addBanner } from '../../contract/banners/calls.ts';
import { audience, marksOf, type Audience } from '../../contract/delivery/audience.ts';
import { linkTypes, type DeliveryKind } from '../../contract/delivery/dictionaries.ts';
import { CONTENT_IMAGE } from '../../contract/delivery/files.ts';
import { deliveryErrors } from '../../contract/delivery/errors.ts';
import { linkFits, linkObjectOf, type Link } from '../../contract/delivery/links.ts';
import { fitsPosition, positionOf, type Position } from '../../contract/delivery/positions.ts';
import type { Schedule } from '../../contract/delivery/schedule.ts';
import type { ClientType } from '../../contract/floors/clientPages.ts';
import type { ObjectTypeCode } from '../../contract/marks/dictionaries.ts';
import { seesGroup } from '../marks/access.ts';
import { typeOf } from '../marks/objects.ts';
import { own } from '../database.ts';
import { offeredOf } from './offered.ts';

const LONGEST = days(366);
/** The people of a client's pages. */
export const personOf: Readonly<Record<ClientType, ObjectTypeCode>> = { PATIENT: 'PATIENT', DOCTOR: 'DOCTOR', STORE: 'DRUGSTORE' };

type Facts = Omit<CheckedInputOf<typeof addBanner>, 'bannerName'>;
type Writing = Pick<CommandContext, 'tx' | 'staff' | 'now' | 'has'>;

/** @throws Refusal SCM04003, SCM90020 */
export function checkPeriod({ startAt, endAt, dailyFrom, dailyTo }: Schedule): void {
  if (Date.parse(endAt) <= Date.parse(startAt))
    throw refuse(deliveryErrors.PERIOD, { fields: [{ path: 'endAt', message: deliveryErrors.PERIOD.text }] });
  if (Date.parse(endAt) - Date.parse(startAt) > LONGEST) throw refuseField('endAt', '投放最长一年');
  if ((dailyFrom === null) !== (dailyTo === null))
    throw refuseField(dailyFrom === null ? 'dailyFrom' : 'dailyTo', '每日时段的开始与结束须同时填写');
  if (dailyFrom !== null && dailyTo !== null && dailyTo <= dailyFrom) throw refuseField('dailyTo', '每日结束须晚于每日开始');
}

/** @throws Refusal SCM04002, SCM02014 */
export async function checkPicture(tx: Tx, fileId: string, position: Position): Promise<void> {
  const size = await pictureSize(tx, fileId, { purpose: CONTENT_IMAGE });
  // Missing, another's or no picture: said alike.
  if (!size) throw refuse(fileErrors.ATTACHMENT_UNUSABLE);
  if (fitsPosition(size, position)) return;
  const words = { w: position.widthPx, h: position.heightPx };
  throw refuse(deliveryErrors.PICTURE_SIZE, words, { fields: [{ path: 'imageFileId', message: `图片尺寸应为${words.w}×${words.h}` }] });
}

/** The thing that a link leads to. @throws Refusal SCM04004 */
export async function linkedObject(kernel: Kernel, ctx: Pick<Writing, 'tx' | 'staff' | 'now'>, link: Link): Promise<string | null> {
  const wrong = () => refuse(deliveryErrors.LINK, { fields: [{ path: 'linkValue', message: deliveryErrors.LINK.text }] });
  if (!linkFits(link.linkType, link.linkValue, link.linkParams)) throw wrong();
  const objectType = linkObjectOf(link.linkType);
  if (objectType === null) return null;
  const type = kernel.registry.objectTypes.get(objectType);
  if (!type) throw refuseField('linkType', `${linkTypes.label(link.linkType)}尚未启用，请选择其他跳转类型`);
  const [found] = await type.numbered(ctx.tx, ctx.staff, [link.linkValue], ctx.now);
  if (!found) throw wrong();
  const isOffered = await offeredOf(kernel, ctx.tx, [{ objectType, objectId: found.id }], ctx.now);
  if (!isOffered({ objectType, objectId: found.id })) throw wrong();
  return found.id;
}

/** Marks of an audience are those that the asker sees, of the people of the page. @throws Refusal SCM90020 */
export async function requireMarks(
  ctx: Pick<Context, 'has'> & { db: Db | Tx },
  wanted: Pick<Audience, 'marksAny' | 'marksAll' | 'marksNone'>,
  person: ObjectTypeCode,
  path = 'audience',
): Promise<void> {
  const markIds = marksOf(wanted);
  if (markIds.length === 0) return;
  const marks = await own(ctx.db)
    .selectFrom('contentMark as m')
    .innerJoin('contentTagGroup as g', 'g.id', 'm.groupId')
    .select(['m.id', 'g.objectType', 'g.sensitive'])
    .where('m.id', 'in', markIds)
    .execute();
  const usable = new Set(marks.filter((mark) => mark.objectType === person && seesGroup(ctx, mark)).map(({ id }) => id));
  const key = (['marksAny', 'marksAll', 'marksNone'] as const).find((name) => wanted[name].some((id) => !usable.has(id)));
  if (key) throw refuseField(`${path}.${key}`, '标签不存在或不适用于该页面的用户');
}

/** The audience with its people by their ids; marks are those that the writer sees. @throws Refusal SCM90020 */
export async function storedAudience(
  kernel: Kernel,
  ctx: Writing,
  wanted: CheckedInputOf<typeof addBanner>['audience'],
  clientType: ClientType,
  path = 'audience',
): Promise<Audience> {
  const person = personOf[clientType];
  await requireMarks({ db: ctx.tx, has: ctx.has }, wanted, person, path);
  const testNos = [...new Set(wanted.testNos)];
  const people = await typeOf(kernel, person).numbered(ctx.tx, ctx.staff, testNos, ctx.now);
  const missing = testNos.filter((no) => !people.some((one) => one.no === no));
  if (missing.length > 0) throw refuseField(`${path}.testNos`, `测试名单中的编号不存在：${missing.slice(0, 5).join('、')}`);
  return checkInput(audience, { ...wanted, testNos, testIds: people.map(({ id }) => id) });
}

/** The facts of a delivery as they are stored. @throws Refusal SCM04002, SCM04003, SCM04004, SCM90020 */
export async function storable(kernel: Kernel, ctx: Writing, kind: DeliveryKind, facts: Facts) {
  const position = positionOf(facts.positionCode);
  if (position.takes !== kind) throw refuseField('positionCode', kind === 'BANNER' ? '该位置不投放Banner' : '该位置不投放广告');
  checkPeriod(facts);
  if (facts.imageFileId !== null) await checkPicture(ctx.tx, facts.imageFileId, position);
  const linkObjectId = await linkedObject(kernel, ctx, facts);
  const { audience: wanted, ...rest } = facts;
  return {
    ...rest,
    pageCode: position.pageCode,
    weekdays: [...new Set(facts.weekdays)].toSorted((a, b) => a - b),
    linkObjectId,
    audience: JSON.stringify(await storedAudience(kernel, ctx, wanted, position.clientType)),
  };
}

/**
 * What must hold of any delivery when it is handed in and again when it is passed.
 * @throws Refusal SCM04001, SCM04002, SCM04004, SCM04005
 */
export async function requireReady(
  kernel: Kernel,
  ctx: Pick<Writing, 'tx' | 'staff' | 'now'>,
  row: Link & { imageFileId: string | null; endAt: Instant },
  position: Position,
): Promise<void> {
  if (row.imageFileId === null)
    throw refuse(deliveryErrors.NO_PICTURE, { fields: [{ path: 'imageFileId', message: deliveryErrors.NO_PICTURE.text }] });
  await checkPicture(ctx.tx, row.imageFileId, position);
  await linkedObject(kernel, ctx, row);
  if (Date.parse(row.endAt) <= Date.parse(ctx.now))
    throw refuse(deliveryErrors.ENDED, { fields: [{ path: 'endAt', message: deliveryErrors.ENDED.text }] });
}
